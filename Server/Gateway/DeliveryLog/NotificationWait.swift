internal import Hummingbird
internal import LocalService
internal import WaypostSchema

/// A wish to be answered once a notification has come into a state: `?wait=acknowledged&timeout=2s`.
struct NotificationWait {
    /// What can be waited for.
    enum Goal: Sendable, Equatable {
        /// That it has been in a state.
        case state(DeliveryState)

        /// That nothing more will become of it.
        case final

        /// Reads the parameter.
        init(_ text: Substring) throws(RequestError) {
            if text == "final" {
                self = .final
            } else if let state = DeliveryState(rawValue: String(text)) {
                self = .state(state)
            } else {
                let states = DeliveryState.allCases.map(\.rawValue).joined(separator: ", ")
                throw .badParameter(name: "wait", "'\(text)' cannot be waited for; 'final' can, and a state: \(states)")
            }
        }

        /// Whether waiting on is pointless: a notification has got there, or will not get anywhere any more.
        func isMet(by record: NotificationRecord) -> Bool {
            switch self {
            case .state(let state): record.hasReached(state) || record.state.isFinal
            case .final: record.state.isFinal
            }
        }
    }

    private let goal: Goal
    private let timeout: WaitTimeout

    /// Reads a request's query; `nil` where there is no such wish.
    init?(_ request: Request) throws(RequestError) {
        let timeout = try WaitTimeout(request)
        guard let wait = request.uri.queryParameters["wait"] else { return nil }
        goal = try Goal(wait)
        self.timeout = timeout
    }

    /// Returns what the log says of a notification once the goal is met, the time is over or the gateway shuts down.
    ///
    /// - Throws: `GatewayError.unknownNotification` where the log does not know it even then.
    func notification(
        _ id: NotificationID,
        in namespace: Namespace,
        _ log: DeliveryLogReader
    ) async throws -> NotificationRecord {
        let goal = goal
        try await timeout.wait { try await log.wait(for: goal, of: id, in: namespace) }
        return try await log.notification(id, in: namespace)
    }
}
