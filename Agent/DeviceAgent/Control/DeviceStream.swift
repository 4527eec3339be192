internal import Hummingbird
internal import LocalService
internal import NIOCore
internal import ServiceLifecycle
internal import WaypostSchema

/// The updates of a device as Server-Sent Events: `event: effect`, with an effect as data, and `event: changed`, with the
/// length of the journal.
enum DeviceStream {
    /// Returns the streaming response, which lasts until the agent shuts down, or the client disconnects or is too
    /// slow.
    static func response(in context: ServiceContext, of device: DeviceStore) -> Response {
        let (number, updates) = device.subscribers.subscribe()
        return ServerSentEventText.response { writer in
            try await context.whileConnected {
                // The first bytes follow the head at once, so that the client sees that it is connected.
                try await writer.write(ByteBuffer(string: ServerSentEventText.heartbeat))
                for await update in updates.cancelOnGracefulShutdown() {
                    let event =
                        switch update {
                        case .effect(let effect): try ServerSentEventText.make("effect", effect)
                        case .changed(let journalLength):
                            try ServerSentEventText.make("changed", ["journalLength": journalLength])
                        }
                    try await ServerSentEventText.write(event, to: &writer)
                }
            } onDisconnect: {
                device.subscribers.unsubscribe(number)
            }
        }
    }
}
