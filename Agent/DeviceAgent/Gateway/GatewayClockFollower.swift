internal import GatewayClient
internal import LocalService
internal import Logging
internal import ServiceLifecycle
internal import WaypostSchema

/// A service that keeps the agent's clock at the time of the gateway's manual clock.
struct GatewayClockFollower: Service {
    let clock: ManualClock
    let client: GatewayClient
    let agentDevices: AgentDevices
    let sources: AgentSources
    let logger: Logger

    /// The identifier of this agent among the followers of the clock.
    let identifier: String

    func run() async throws {
        await cancelWhenGracefulShutdown { await follow() }
    }

    private func follow() async {
        var backoff = RetryBackoff()
        while !Task.isCancelled {
            do {
                let reading = try await client.clock(after: clock.now, follower: identifier)
                // The gateway may have been started again with another clock.
                guard reading.clock == .manual else { throw AgentStartError.gatewayClockIsSystem }
                backoff.recordSuccess()
                guard reading.now > clock.now else { continue }
                clock.move(to: reading.now)
                try await agentDevices.applyDueChanges()
            } catch {
                guard !Task.isCancelled else { return }
                logger.notice("the gateway's clock cannot be followed", metadata: ["reason": "\(error)"])
                guard (try? await sources.sleep(backoff.recordFailure(random: sources.random()))) != nil else { return }
            }
        }
    }

    /// Returns the time of the gateway's manual clock, once the gateway answers.
    ///
    /// - Throws: `AgentStartError.gatewayClockIsSystem` if the gateway has no manual clocks, `CancellationError`.
    static func firstReading(
        of client: GatewayClient,
        _ sources: AgentSources,
        _ logger: Logger
    ) async throws -> Timestamp {
        var backoff = RetryBackoff()
        while true {
            do throws(CallError) {
                let reading = try await client.clock()
                guard reading.clock == .manual else { break }
                return reading.now
            } catch {
                logger.notice("the gateway's clock cannot be read", metadata: ["reason": "\(error)"])
            }
            try await sources.sleep(backoff.recordFailure(random: sources.random()))
        }
        throw AgentStartError.gatewayClockIsSystem
    }
}
