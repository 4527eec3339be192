import GatewayStore
import PushRules
import Testing
import WaypostSchema

@testable import StoreTestSupport

/// Steps that use the log, and its checks.
extension StoreWalk {
    /// Returns random delivery attempts up to now.
    func attempts() -> DeliveryAttempts {
        let first = Timestamp(milliseconds: now.rawValue - element(of: [0, 1, 5_000]))
        return DeliveryAttempts(first: first, last: now, count: element(of: [1, 1, 2, 3]))
    }

    /// Returns a sequence that was assigned, or occasionally one that was not.
    private func anySequence() -> Int {
        Int.random(in: -1...lastSequence + 1, using: &random)
    }

    func note(in namespace: Namespace) async throws {
        var noted: [Int: DeliveryAttempts] = [:]
        for _ in 0..<element(of: [0, 1, 2, 5]) {
            let isRecent = isLucky(2, in: 3)
            noted[isRecent ? max(0, lastSequence - element(of: [0, 1, 2, 5, 9])) : anySequence()] = attempts()
        }
        try await store.recordAttempts(noted, in: namespace)
        for (sequence, attempts) in noted { oracle.note(attempts, of: sequence, in: namespace) }
    }

    func readLog(of namespace: Namespace) async throws {
        let query = LogQuery(
            token: isLucky(1, in: 2) ? token(in: namespace) : nil,
            trace: isLucky(1, in: 4) ? element(of: Self.traces).traceID : nil,
            topic: isLucky(1, in: 4) ? element(of: Self.topics) : nil,
            states: isLucky(1, in: 4) ? Set(DeliveryState.allCases.filter { _ in isLucky(1, in: 2) }) : nil,
            since: isLucky(1, in: 3) ? Timestamp(milliseconds: now.rawValue - element(of: [-1, 0, 9_000])) : nil,
            start: isLucky(1, in: 2) ? .latest : .after(element(of: [.min, .max, 0, anySequence()])),
            limit: element(of: [0, 1, 3, 10, .max])
        )
        let entries = try await store.logEntries(matching: query, in: namespace)
        try #require(entries == oracle.log(query, in: namespace), comment)
        guard let id = oracle.log(LogQuery(limit: .max), in: namespace).randomElement(using: &random)?.subject.id else {
            return try #require(try await store.logEntry(of: "nothing", in: namespace) == nil, comment)
        }
        let newest = oracle.log(LogQuery(limit: .max), in: namespace).last { $0.subject.id == id }
        try #require(try await store.logEntry(of: id, in: namespace) == newest, comment)
    }

    /// Expects the predicted entry of each changed notification, and no entry of forgotten ones.
    func checkTouchedLines() async throws {
        for namespace in Self.namespaces where !oracle.touchedLines.isEmpty {
            let expected = oracle.touchedLines.sorted().compactMap { oracle.lines[$0] }
                .filter { $0.namespace == namespace }.map(\.entry)
            let entries = try await store.logEntries(at: Array(oracle.touchedLines), in: namespace)
            try #require(entries == expected, comment)
        }
        oracle.touchedLines = []
    }

    /// Expects the predicted log.
    func checkLog(of namespace: Namespace) async throws {
        let query = LogQuery(start: .after(.min), limit: .max)
        let expected = oracle.log(query, in: namespace)
        try #require(try await store.logEntries(matching: query, in: namespace) == expected, comment)
        for state in expected.map(\.state) { seen.insert("logged \(state)") }
    }
}
