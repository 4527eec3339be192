import Foundation
import GatewayStore
import WaypostSchema

/// The benchmark of opening a store with many inboxes after its gateway was killed, and of reading an inbox.
enum Opening {
    static let inboxes = 100_000

    static func measure(in folder: URL) async throws {
        let living = folder.appending(path: "living")
        let store = try SQLiteStore.open(in: living.path).store
        try await BenchmarkData.register(inboxes, in: store)
        for start in stride(from: 0, to: inboxes, by: 1_000) {
            let batch = NewBatch(
                id: BatchID(rawValue: UUID().uuidString),
                notifications: (start..<(start + 1_000)).map { BenchmarkData.notification($0, to: $0) }
            )
            _ = try await store.append(batch, at: BenchmarkData.now)
        }
        try reportOpening(of: living, in: folder)
        try await reportReading(from: store)
        try store.close()
    }

    /// Measures the opening of copies of an open store's folder, which is in the state that a killed gateway leaves.
    private static func reportOpening(of living: URL, in folder: URL) throws {
        var times: [Duration] = []
        for round in 0..<7 {
            let image = folder.appending(path: "image-\(round)")
            try FileManager.default.copyItem(at: living, to: image)
            let clock = ContinuousClock()
            let start = clock.now
            let opened = try SQLiteStore.open(in: image.path)
            times.append(clock.now - start)
            try opened.store.close()
            try FileManager.default.removeItem(at: image)
        }
        print("opening \(inboxes) inboxes of one item after SIGKILL: \(Figures.millis(times.median)) (median of 7)")
    }

    private static func reportReading(from store: SQLiteStore) async throws {
        let clock = ContinuousClock()
        var times: [Duration] = []
        for number in stride(from: 1, to: inboxes, by: 97) {
            let agent = AgentID(namespace: .standard, number: number)
            let start = clock.now
            let page = try await store.readInbox(of: agent, after: 0, limit: 64, at: BenchmarkData.now)
            times.append(clock.now - start)
            guard page.count == 1 else { continue }
        }
        print("reading an inbox of one item: \(Figures.micros(times.median)) (median of \(times.count))")
    }
}
