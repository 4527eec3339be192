import Foundation
import GRDB
import GatewayStore
import WaypostSchema

/// The benchmark of durable items per second, for the store and for GRDB alone in turn.
enum Appending {
    static let devices = 1_000
    static let rounds = 7

    /// A load of batches of one size, which several callers append concurrently.
    struct Load {
        var size: Int
        var callers = 1
        var batches: Int

        var items: Int { size * batches }
        var name: String { "\(size)" + (callers == 1 ? "" : ", \(callers) callers") }
    }

    static let loads = [
        Load(size: 1, batches: 500), Load(size: 1, callers: 64, batches: 4_000), Load(size: 100, batches: 100),
        Load(size: 1_000, batches: 20), Load(size: 10_000, batches: 4),
    ]

    static func measure(in folder: URL) async throws {
        let (ours, bare) = (folder.appending(path: "ours").path, folder.appending(path: "bare").path)
        let store = try await makeStore(in: ours)
        try await makeStore(in: bare).close()
        let plain = try BareDatabase(folder: bare)
        print("durable items per second, by batch size; \(rounds) rounds each, medians")
        print(row("batch", "store", "GRDB alone", "ratio"))
        for load in loads {
            var (storeTimes, bareTimes): ([Duration], [Duration]) = ([], [])
            for _ in 0..<rounds {
                storeTimes.append(try await time(load, in: store))
                bareTimes.append(try plain.time(load))
            }
            let (own, other) = (rate(load, storeTimes.median), rate(load, bareTimes.median))
            print(row(load.name, "\(Int(own))", "\(Int(other))", Figures.hundredths(own / other)))
        }
        try store.close()
        print("")
    }

    @discardableResult
    private static func makeStore(in folder: String) async throws -> SQLiteStore {
        // The comparison with GRDB alone uses the rows of a store without a log.
        var tuning = SQLiteTuning()
        tuning.logRetention = 0
        let store = try SQLiteStore.open(in: folder, tuning: tuning).store
        try await BenchmarkData.register(devices, in: store)
        return store
    }

    private static func time(_ load: Load, in store: SQLiteStore) async throws -> Duration {
        // The batches are created before the clock starts.
        let batches = (0..<load.batches).map { _ in
            NewBatch(
                id: BatchID(rawValue: UUID().uuidString),
                notifications: (0..<load.size).map { BenchmarkData.notification($0, to: $0 * 7 % devices) }
            )
        }
        let clock = ContinuousClock()
        return try await clock.measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for caller in 0..<load.callers {
                    group.addTask {
                        for batch in stride(from: caller, to: batches.count, by: load.callers) {
                            _ = try await store.append(batches[batch], at: BenchmarkData.now)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func rate(_ load: Load, _ duration: Duration) -> Double {
        Double(load.items) / (duration / .seconds(1))
    }

    private static func row(_ name: String, _ own: String, _ other: String, _ ratio: String) -> String {
        Figures.column(name, 16) + Figures.column(own, 12) + Figures.column(other, 12) + Figures.column(ratio, 8)
    }
}

/// A database with the store's schema, to which GRDB alone writes the rows of each batch in one transaction.
struct BareDatabase {
    private let pool: DatabasePool
    private let agents: [Int: Int]
    private let counter = Counter()

    /// Opens the database of a closed store.
    init(folder: String) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -65536")
        }
        pool = try DatabasePool(path: folder + "/waypost.sqlite", configuration: configuration)
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        agents = try pool.read { database in
            let rows = try Row.fetchAll(database, sql: "SELECT number, agent FROM device ORDER BY number")
            return Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as Int, $0[1] as Int) })
        }
    }

    func time(_ load: Appending.Load) throws -> Duration {
        let numbers = agents.keys.sorted()
        // The same notifications are also created before the clock starts.
        let notifications = (0..<load.size).map { BenchmarkData.notification($0, to: 0) }
        let payload = Data(BenchmarkData.payload)
        let clock = ContinuousClock()
        return try clock.measure {
            for _ in 0..<(load.batches / load.callers) {
                try pool.writeWithoutTransaction { database in
                    try database.inTransaction(.immediate) {
                        for _ in 0..<load.callers {
                            try write(notifications, to: numbers, payload, database)
                        }
                        try database.execute(sql: "UPDATE store SET sequence = ?", arguments: [counter.sequence])
                        return .commit
                    }
                    // The store copies its write-ahead log just as often.
                    if logLength >= SQLiteTuning().checkpointThreshold { _ = try database.checkpoint(.truncate) }
                }
            }
        }
    }

    private var logLength: Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: pool.path + "-wal")
        return attributes?[.size] as? Int ?? 0
    }

    private func write(
        _ notifications: [NewNotification],
        to devices: [Int],
        _ payload: Data,
        _ database: Database
    ) throws {
        let item = try database.cachedStatement(
            sql: """
                INSERT INTO item (namespace, agent, sequence, batch, device, topic, push_type, priority, id, payload)
                VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        )
        counter.batch += 1
        for (index, notification) in notifications.enumerated() {
            counter.sequence += 1
            let device = devices[index * 7 % devices.count]
            item.setUncheckedArguments([
                agents[device], counter.sequence, counter.batch, device, notification.topic.rawValue,
                notification.pushType.rawValue, notification.priority, notification.id.rawValue, payload,
            ])
            try item.execute()
        }
        try database.execute(
            sql: "INSERT INTO batch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                1, counter.batch, UUID().uuidString, BenchmarkData.now.rawValue, nil, 0, 0, notifications.count, 0, 0,
                0, 0,
                0, nil,
            ]
        )
    }

    /// The numbers that the store would assign.
    private final class Counter {
        var sequence = 1_000_000_000
        var batch = 1_000_000_000
    }
}
