import GatewayStore
import Testing
import WaypostSchema

@Suite struct MemoryStoreTests {
    private let store = MemoryStore()

    init() {
        store.withRecords { $0 = .example }
    }

    /// Appends 100 batches of two items from each of 8 tasks; returns what was refused.
    private func appendConcurrently() async -> [StoreRefusal] {
        await withTaskGroup(of: [StoreRefusal].self) { group in
            for task in 0..<8 {
                group.addTask { (0..<100).flatMap { append("task\(task)-\($0)") } }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func append(_ batch: String) -> [StoreRefusal] {
        store.withRecords { records in
            records.append(
                [.example(id(batch, 1)), .example(id(batch, 2), to: "laptop")],
                batch: BatchID(rawValue: batch),
                rejected: 0,
                isConnected: { _ in false },
                at: .noon
            ).refusals.compactMap(\.self)
        }
    }

    private func id(_ batch: String, _ item: Int) -> NotificationID {
        NotificationID(rawValue: "\(batch)-\(item)")
    }

    private var batches: [String] {
        (0..<8).flatMap { task in (0..<100).map { "task\(task)-\($0)" } }
    }

    @Test func storeStartsEmpty() {
        #expect(!MemoryStore().withRecords { $0.knows("home") })
    }

    @Test func storeIsAsDurableAsItSays() {
        #expect(store.durability == .memory)
    }

    @Test func concurrentAppendsLoseNothing() async {
        #expect(await appendConcurrently().isEmpty)
        let (home, away) = store.withRecords { ($0.stored("home"), $0.stored("away")) }
        #expect(Set((home + away).map(\.sequence)).count == 1_600)
        #expect(Set(home.map(\.notification.id)) == Set(batches.map { id($0, 1) }))
        #expect(Set(away.map(\.notification.id)) == Set(batches.map { id($0, 2) }))
        for inbox in [home, away] {
            #expect(inbox.count == 800)
            #expect(zip(inbox, inbox.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
        }
    }

    @Test func eachConcurrentBatchIsCounted() async {
        _ = await appendConcurrently()
        for batch in batches.map(BatchID.init(rawValue:)) {
            let status = store.withRecords { $0.status(of: batch, at: .noon) }
            #expect(status == BatchStatus(id: batch, accepted: 2, rejected: 0, states: [.stored: 2]))
        }
    }

    @Test func batchOfOneTaskIsNotTornByAnother() async {
        _ = await appendConcurrently()
        let all = store.withRecords { $0.stored("home") + $0.stored("away") }.sorted { $0.sequence < $1.sequence }
        for start in stride(from: 0, to: all.count, by: 2) {
            #expect(all[start].batch == all[start + 1].batch)
        }
    }

    @Test func concurrentAcknowledgementsCountEachNotificationOnce() async {
        _ = await appendConcurrently()
        let sequences = store.withRecords { $0.stored("home").map(\.sequence) }
        let count = await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    sequences.indices.reduce(0) { count, index in
                        let sequence = sequences[(index + 100 * task) % sequences.count]
                        return count + store.withRecords { $0.acknowledge("home", [sequence]).count }
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(count == sequences.count)
        #expect(store.withRecords { $0.inbox("home") }.isEmpty)
        #expect(store.withRecords { $0.inbox("away") }.count == 800)
    }
}
