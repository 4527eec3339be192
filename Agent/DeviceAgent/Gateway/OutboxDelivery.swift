internal import DeviceModel
internal import Foundation
internal import GatewayClient
internal import JSONScanning
internal import LocalService
internal import Logging
internal import ServiceLifecycle
internal import WaypostSchema

/// A service that sends the user's messages, through the gateway, to the devices of the other participants.
///
/// A message stays in the device's outbox until the gateway has accepted it. If the agent ends in between, the message
/// is sent again; a device ignores a message that it already has.
struct OutboxDelivery: Service {
    let device: DeviceStore
    let client: GatewayClient
    let sources: AgentSources
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in device.changes.watch() { await sendAll() }
        }
    }

    private func sendAll() async {
        var backoff = RetryBackoff()
        while device.isConnected, let nextMessage = device.model.outbox.first {
            do {
                try await send(nextMessage)
                _ = try await device.apply([.attribution(.messageDelivered(nextMessage.message.id))], at: sources.now())
            } catch {
                logger.notice(
                    "a message cannot be sent yet",
                    metadata: ["message": "\(nextMessage.message.id)", "reason": "\(error)"]
                )
                guard (try? await sources.sleep(backoff.recordFailure(random: sources.random()))) != nil else { return }
            }
        }
    }

    /// Sends a message; a token that the gateway rejects is only logged, because the gateway would reject it again.
    private func send(_ outgoing: OutgoingMessage) async throws {
        let payload = try DocumentDecoder.decode(
            JSONValue.self,
            from: try JSONEncoder().encode(DeviceEvent.sharing(.messageReceived(outgoing.message)))
        )
        let items = outgoing.tokens.map { BatchItem(token: $0, topic: .messages, payload: payload) }
        for rejection in try await client.send(Array(try JSONEncoder().encode(items))).results {
            logger.warning(
                "the gateway rejects a message",
                metadata: ["message": "\(outgoing.message.id)", "reason": "\(rejection.message ?? "\(rejection)")"]
            )
        }
    }
}
