internal import GatewayClient
internal import LocalService
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import WaypostSchema

/// A service that waits for the gateway at the start, and ends the agent if none answers in time or it refuses the agent.
///
/// Once a gateway has answered, the agent retries for ever.
struct FirstConnection: Service {
    /// Whether a gateway has answered since the agent started.
    final class State: Sendable {
        private let value: Mutex<Bool>

        init(hasAnswered: Bool) {
            value = Mutex(hasAnswered)
        }

        var hasAnswered: Bool {
            value.withLock(\.self)
        }

        fileprivate func recordAnswer() {
            value.withLock { $0 = true }
        }
    }

    let client: GatewayClient
    let configuration: AgentConfiguration
    let state: State
    let sources: AgentSources
    let logger: Logger

    func run() async throws {
        try await waitForGateway()
        try? await gracefulShutdown()
    }

    /// Returns when a gateway has answered, or the agent shuts down.
    ///
    /// - Throws: `AgentStartError` if none does in time, or it is not a gateway, or it refuses the token.
    func waitForGateway() async throws {
        guard let timeout = configuration.connectTimeout else { return }
        do {
            try await cancelWhenGracefulShutdown {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await connect() }
                    group.addTask {
                        try await sources.sleep(timeout)
                        throw AgentStartError.noGateway(configuration.service, within: timeout)
                    }
                    defer { group.cancelAll() }
                    try await group.next()
                }
            }
        } catch is CancellationError {
            // The agent shuts down.
        }
    }

    private func connect() async throws {
        var backoff = RetryBackoff()
        while true {
            do throws(CallError) {
                _ = try await client.clock()
                return state.recordAnswer()
            } catch {
                switch error {
                case .canceled: throw CancellationError()
                case .refused(status: 401, _):
                    throw AgentStartError.gatewayRefusesToken(isMissing: configuration.adminToken == nil)
                case .refused(_, let answer) where answer.code == "notFound":
                    throw AgentStartError.notTheServiceListener(configuration.service)
                case .refused, .unreachable, .unexpectedResponse:
                    if !backoff.hasFailed { logger.notice("\(Self.warning(about: error))") }
                }
            }
            try await sources.sleep(backoff.recordFailure(random: sources.random()))
        }
    }

    private static func warning(about error: CallError) -> String {
        switch error {
        case .unexpectedResponse: "\(error); is it the service listener of a gateway?"
        default: "\(error); start a gateway with 'waypost-gateway', or name another one with --gateway"
        }
    }
}
