internal import Hummingbird
internal import LocalService
internal import NIOCore
internal import ServiceLifecycle
internal import WaypostSchema

/// The effects on a device as Server-Sent Events: `event: effect`, with an effect as data.
enum EffectStream {
    /// Returns the streaming response, which lasts until the agent shuts down, or the client disconnects or is too
    /// slow.
    static func response(in context: ServiceContext, of device: DeviceStore) -> Response {
        let (number, effects) = device.subscribers.subscribe()
        return ServerSentEventText.response { writer in
            try await context.whileConnected {
                // The first bytes follow the head at once, so that the client sees that it is connected.
                try await writer.write(ByteBuffer(string: ServerSentEventText.heartbeat))
                for await effect in effects.cancelOnGracefulShutdown() {
                    try await writer.write(try ServerSentEventText.make("effect", effect))
                }
            } onDisconnect: {
                device.subscribers.unsubscribe(number)
            }
        }
    }
}
