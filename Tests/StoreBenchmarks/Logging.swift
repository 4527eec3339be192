import Foundation
import GatewayStore
import WaypostSchema

/// The benchmark of the delivery log: items appended and acknowledged per second, with and without the log in turn.
enum Logging {
    static let devices = 1_000
    static let rounds = 7
    static let sizes = [(size: 1_000, batches: 10), (size: 10_000, batches: 2)]

    /// A store with or without a log, and the durations of its rounds.
    private final class Subject {
        let store: SQLiteStore
        var appending: [Duration] = []
        var acknowledging: [Duration] = []

        init(in folder: String, logRetention: Int) async throws {
            var tuning = SQLiteTuning()
            tuning.logRetention = logRetention
            store = try SQLiteStore.open(in: folder, tuning: tuning).store
            try await BenchmarkData.register(devices, in: store)
            for number in 1...devices {
                _ = try await store.openSession(AgentID(namespace: .standard, number: number))
            }
        }

        /// Appends batches for connected agents, and then lets each agent acknowledge its deliveries.
        func run(_ batches: [NewBatch]) async throws {
            let clock = ContinuousClock()
            var sequences: [AgentID: [Int]] = [:]
            let start = clock.now
            for batch in batches {
                guard case .appended(let appended) = try await store.append(batch, at: BenchmarkData.now) else {
                    continue
                }
                for delivery in appended.deliveries {
                    sequences[delivery.agent, default: []].append(delivery.notification.sequence)
                }
            }
            let middle = clock.now
            try await acknowledge(sequences)
            appending.append(middle - start)
            acknowledging.append(clock.now - middle)
        }

        private func acknowledge(_ sequences: [AgentID: [Int]]) async throws {
            let acknowledgements = sequences.map { agent, sequences in
                let notifications = sequences.map { AgentAcknowledgement.Notification(sequence: $0, attempts: nil) }
                return AgentAcknowledgement(agent: agent, notifications: notifications, time: BenchmarkData.now)
            }
            _ = try await store.acknowledge(acknowledgements)
        }
    }

    static func measure(in folder: URL) async throws {
        let plain = try await Subject(in: folder.appending(path: "plain").path, logRetention: 0)
        let logging = try await Subject(
            in: folder.appending(path: "logging").path,
            logRetention: Retention.logLifetime
        )
        print("items per second without and with a log, by batch size; \(rounds) rounds each, medians")
        print(row("batch", "append", "with log", "ratio") + row("", "acknowledge", "with log", "ratio"))
        for (size, count) in sizes {
            for subject in [plain, logging] { (subject.appending, subject.acknowledging) = ([], []) }
            for _ in 0..<rounds {
                // The batches are created before the clock starts.
                let batches = (0..<count).map { _ in batch(of: size) }
                for subject in [plain, logging] { try await subject.run(batches) }
            }
            print(
                figures("\(size)", size * count, plain.appending, logging.appending)
                    + figures("", size * count, plain.acknowledging, logging.acknowledging)
            )
        }
        try plain.store.close()
        try logging.store.close()
        print("")
    }

    private static func batch(of size: Int) -> NewBatch {
        let notifications = (0..<size).map { index in
            var notification = BenchmarkData.notification(index, to: index * 7 % devices)
            notification.id = NotificationID(rawValue: UUID().uuidString.lowercased())
            return notification
        }
        return NewBatch(id: BatchID(rawValue: UUID().uuidString), notifications: notifications)
    }

    private static func figures(_ name: String, _ items: Int, _ plain: [Duration], _ logging: [Duration]) -> String {
        let rates = [plain, logging].map { Double(items) / ($0.median / .seconds(1)) }
        return row(name, "\(Int(rates[0]))", "\(Int(rates[1]))", Figures.hundredths(rates[1] / rates[0]))
    }

    private static func row(_ name: String, _ plain: String, _ logging: String, _ ratio: String) -> String {
        Figures.column(name, 8) + Figures.column(plain, 12) + Figures.column(logging, 12) + Figures.column(ratio, 8)
    }
}
