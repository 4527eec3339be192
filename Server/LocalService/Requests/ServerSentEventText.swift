internal import Foundation
internal import HTTPTypes
package import Hummingbird
package import NIOCore

/// Server-sent events (WHATWG HTML, server-sent events).
package enum ServerSentEventText {
    /// A comment that shows both ends that the connection is alive; clients ignore it.
    package static let heartbeat = ": heartbeat\n\n"

    /// The maximum number of bytes that are written at once.
    ///
    /// A client that does not read keeps at most one piece waiting, because the next is written once there is room.
    package static let maximumPieceSize = 64 << 10

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

    /// Writes events in pieces.
    @concurrent
    package static func write(_ events: ByteBuffer, to writer: inout any ResponseBodyWriter) async throws {
        var rest = events
        while rest.readableBytes > 0, let piece = rest.readSlice(length: min(rest.readableBytes, maximumPieceSize)) {
            try await writer.write(piece)
        }
    }

    /// Writes an event called `name` for each value; their text is made and written piece by piece.
    @concurrent
    package static func write(
        _ values: [some Encodable & Sendable],
        as name: String,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        var piece = ByteBuffer()
        for value in values {
            piece.writeImmutableBuffer(try make(name, value))
            guard piece.readableBytes >= maximumPieceSize else { continue }
            try await write(piece, to: &writer)
            piece = ByteBuffer()
        }
        try await write(piece, to: &writer)
    }

    /// Writes one event called `name` whose data is an object with a list of that name; its text is made and written
    /// piece by piece.
    @concurrent
    package static func writeList(
        _ values: [some Encodable & Sendable],
        as name: String,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        var piece = ByteBuffer(string: "event: \(name)\ndata: {\"\(name)\":[")
        for (index, value) in values.enumerated() {
            if index > 0 { piece.writeString(",") }
            piece.writeBytes(try JSONText.data(value))
            guard piece.readableBytes >= maximumPieceSize else { continue }
            try await write(piece, to: &writer)
            piece = ByteBuffer()
        }
        piece.writeString("]}\n\n")
        try await write(piece, to: &writer)
    }
}
