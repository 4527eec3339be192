internal import Deflate
package import Foundation
package import HTTPTypes
package import Hummingbird
internal import NIOCore

/// JSON as the services write it: sorted keys, unescaped slashes.
package enum JSONText {
    /// Returns a value as JSON on one line.
    package static func data(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }
}

/// Responses in JSON.
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
        var buffer = ByteBuffer(bytes: try JSONText.data(body))
        // The line feed at the end is for users who view the response in a terminal.
        buffer.writeString("\n")
        return response(with: buffer, status: status, headers: fields, compressing: compressing)
    }

    /// Returns a response with a JSON text as its body.
    static func response(
        with text: ByteBuffer,
        status: HTTPResponse.Status,
        headers fields: HTTPFields,
        compressing: Bool
    ) -> Response {
        var headers = fields
        headers[.contentType] = "application/json"
        guard compressing, text.readableBytes >= minimumCompressedSize else {
            return Response(status: status, headers: headers, body: .init(byteBuffer: text))
        }
        headers[.contentEncoding] = "gzip"
        headers[.vary] = "Accept-Encoding"
        let compressed = Deflater.deflate(Array(text.readableBytesView), as: .gzip)
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: compressed)))
    }
}
