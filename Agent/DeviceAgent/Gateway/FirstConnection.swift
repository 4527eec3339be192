internal import GatewayClient
internal import LocalService
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import WaypostSchema

/// A service that waits for the gateway at the start, and ends the agent if none answers or one refuses it.
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
        _ = try await waitForGateway()
        try? await gracefulShutdown()
    }

    /// Waits until a gateway has answered.
    ///
    /// - Returns: `false` if the agent shuts down before.
    /// - Throws: `AgentStartError` if none answers in time, or it is not a gateway, or it refuses the token.
    func waitForGateway() async throws -> Bool {
        guard let timeout = configuration.connectTimeout, !state.hasAnswered else { return true }
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
            return true
        } catch is CancellationError {
            return false
        }
    }

    private func connect() async throws {
        var backoff = RetryBackoff()
        while true {
            do throws(CallError) {
                // Only the service listener of a gateway has a page of devices.
                _ = try await client.devices(after: nil)
                return state.recordAnswer()
            } catch {
                switch error {
                case .canceled: throw CancellationError()
                case .refused(status: 401, _):
                    throw AgentStartError.gatewayRefusesToken(isMissing: configuration.adminToken() == nil)
                case .refused(_, let answer) where answer.code == "notFound":
                    throw AgentStartError.notTheServiceListener(configuration.service)
                case .unexpectedResponse: throw AgentStartError.notTheServiceListener(configuration.service)
                case .refused, .unreachable:
                    if !backoff.hasFailed {
                        let limit = configuration.connectTimeout.map { "; the agent tries for \($0.shortText)" } ?? ""
                        logger.notice(
                            """
                            \(error)\(limit); start a gateway with 'waypost-gateway', or name another one with --gateway
                            """
                        )
                    }
                }
            }
            try await sources.sleep(backoff.recordFailure(random: sources.random()))
        }
    }
}
