internal import Foundation
internal import HTTPTypes
package import Hummingbird
package import NIOCore

/// Server-sent events (WHATWG HTML, server-sent events).
package enum ServerSentEventText {
    /// A comment that shows both ends that the connection is alive; clients ignore it.
    package static let heartbeat = ": heartbeat\n\n"

    /// Returns a response that streams the events that `write` writes, until it returns.
    package static func response(
        _ write: @escaping @Sendable @concurrent (inout any ResponseBodyWriter) async throws -> Void
    ) -> Response {
        let headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody { writer in
                try await write(&writer)
                try await writer.finish(nil)
            }
        )
    }

    /// Returns an event called `name` whose data is a value as JSON on one line.
    package static func make(_ name: String, _ data: some Encodable) throws -> ByteBuffer {
        var buffer = ByteBuffer(string: "event: \(name)\ndata: ")
        buffer.writeBytes(try JSONText.data(data))
        buffer.writeString("\n\n")
        return buffer
    }
}
