internal import HTTPTypes
internal import Hummingbird
internal import LocalService
internal import NIOCore
internal import ServiceLifecycle
internal import WaypostSchema

/// What a device does as Server-Sent Events: `event: effect`, the data an effect.
enum EffectStream {
    /// Returns the answer that goes on until the agent shuts down, the reader leaves or does not keep up.
    static func response(to request: Request, following device: DeviceStore) -> Response {
        let (number, effects) = device.followers.follow()
        let headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody { writer in
                try await request.body.consumeWithInboundCloseHandler { _ in
                    // Something must follow the head at once, so that a client sees that it is connected.
                    try await writer.write(ByteBuffer(string: ServerSentEventText.heartbeat))
                    for await effect in effects.cancelOnGracefulShutdown() {
                        try await writer.write(try ServerSentEventText.make("effect", effect))
                    }
                } onInboundClosed: {
                    device.followers.end(number)
                }
                try await writer.finish(nil)
            }
        )
    }
}
