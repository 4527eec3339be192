import GatewayClient
import Synchronization

/// The answers of the gateways to all requests of a cluster, and the violations that clients observed.
final class ClusterAnswers: Sendable {
    private struct State {
        var failures: [Int: Int] = [:]
        var unanswered = 0
        var findings: [String] = []
    }

    /// Adds a line to the history: who acts, and a text.
    let history: @Sendable (_ actor: String, _ text: String) -> Void

    private let state = Mutex(State())

    /// Creates the answers of a cluster without any.
    init(history: @escaping @Sendable (_ actor: String, _ text: String) -> Void) {
        self.history = history
    }

    /// The number of answers with each status of failure.
    var failures: [Int: Int] {
        state.withLock(\.failures)
    }

    /// The number of requests without an answer.
    var unanswered: Int {
        state.withLock(\.unanswered)
    }

    /// The violations.
    var findings: [String] {
        state.withLock(\.findings)
    }

    /// Records a violation.
    func add(finding: String) {
        history("violation", finding)
        state.withLock { $0.findings.append(finding) }
    }

    /// Records a status of failure; returns whether the client should repeat the request.
    ///
    /// Every other status is a violation, because all requests are correct.
    func note(status: Int, to request: @autoclosure () -> String) -> Bool {
        let isExpected = [429, 500, 503].contains(status)
        state.withLock { $0.failures[status, default: 0] += 1 }
        let text = request()
        history("gateway", "\(text): \(status)")
        if !isExpected { add(finding: "\(text): unexpected answer \(status)") }
        return isExpected
    }

    /// Records that a request has no answer.
    func recordUnanswered(_ request: String) {
        history("gateway", "\(request): no answer")
        state.withLock { $0.unanswered += 1 }
    }

    /// Records the error of a call.
    func note(_ error: any Error, to request: @autoclosure () -> String) {
        switch error as? CallError {
        case .refused(let status, let answer):
            if !note(status: status, to: request()) { add(finding: "\(request()): \(answer)") }
        case .unexpectedResponse: add(finding: "\(request()): \(error)")
        default: recordUnanswered(request())
        }
    }
}
