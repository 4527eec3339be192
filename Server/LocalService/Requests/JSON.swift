internal import Deflate
package import Foundation
package import HTTPTypes
package import Hummingbird
internal import JSONScanning
package import NIOCore
internal import WaypostSchema

/// JSON as the services write it: sorted keys, unescaped slashes.
package enum JSONText {
    /// Returns a value as JSON on one line.
    package static func data(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }
}

/// JSON responses.
package enum JSONResponse {
    /// The minimum size in bytes of a response to compress, if the client accepts gzip.
    private static let minimumCompressedSize = 1_024

    /// Returns a response with a value as its body.
    package static func make(
        _ body: some Encodable,
        status: HTTPResponse.Status = .ok,
        headers fields: HTTPFields = [:],
        compressing: Bool = false
    ) throws -> Response {
        // The line feed at the end is for users who view the response in a terminal.
        let data = try JSONText.data(body) + [0x0A]
        var headers = fields
        headers[.contentType] = "application/json"
        guard compressing, data.count >= minimumCompressedSize else {
            return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: data)))
        }
        headers[.contentEncoding] = "gzip"
        headers[.vary] = "Accept-Encoding"
        let compressed = Deflater.deflate(Array(data), as: .gzip)
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: compressed)))
    }
}

/// Small JSON request bodies.
package enum JSONBody {
    /// The maximum size in bytes of a body that contains no notifications.
    package static let maximumSize = 1 << 20

    /// Decodes a request's body.
    ///
    /// - Parameters:
    ///   - type: the value's type.
    ///   - request: the request.
    /// - Returns: the value.
    /// - Throws: `RequestError` that names the field or the byte, or `CancellationError`.
    package static func decode<Value: Decodable>(_ type: Value.Type, from request: Request) async throws -> Value {
        try decode(type, from: try await bytes(of: request))
    }

    /// Returns the bytes of a request's body.
    ///
    /// - Throws: `RequestError.bodyTooLarge`, `RequestError.malformedBody` if it ends early, or `CancellationError`.
    package static func bytes(of request: Request) async throws -> [UInt8] {
        var body = ByteBuffer()
        var chunks = RequestChunks(request)
        do {
            try await chunks.read { chunk in
                guard body.readableBytes + chunk.readableBytes <= maximumSize else {
                    throw RequestError.bodyTooLarge(limit: maximumSize)
                }
                body.writeImmutableBuffer(chunk)
            }
        } catch {
            await chunks.drain()
            throw error
        }
        return Array(body.readableBytesView)
    }

    /// Decodes bytes.
    ///
    /// - Throws: `RequestError` that names the field or the byte.
    package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws(RequestError) -> Value
    {
        do {
            return try DocumentDecoder.decode(type, from: bytes)
        } catch let error as JSONError {
            throw .malformedBody("the body is not JSON: \(error), at byte \(error.offset)", offset: error.offset)
        } catch {
            throw .malformedBody((error as? DecodingError)?.sentence ?? "\(error)")
        }
    }
}

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
