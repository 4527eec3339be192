internal import Deflate
package import HTTPTypes
package import Hummingbird
internal import NIOCore

extension JSONResponse {
    /// Returns a response with a list in its body; the text of a long list is never held whole.
    ///
    /// - Parameters:
    ///   - text: the text of the body.
    ///   - status: the status.
    ///   - fields: the headers besides those of the body.
    ///   - isCompressed: whether the client accepts gzip.
    ///   - memory: the memory of the elements, which is in use until the last piece is written.
    /// - Returns: the response.
    /// - Throws: `EncodingError`.
    package static func make<Element>(
        _ text: JSONListText<Element>,
        status: HTTPResponse.Status = .ok,
        headers fields: HTTPFields = [:],
        compressing isCompressed: Bool = false,
        holding memory: some AnyObject & Sendable
    ) throws -> Response {
        var shortText = text
        if text.isShort, let buffer = try shortText.next() {
            return response(with: buffer, status: status, headers: fields, compressing: isCompressed)
        }
        var headers = fields
        headers[.contentType] = "application/json"
        if isCompressed {
            headers[.contentEncoding] = "gzip"
            headers[.vary] = "Accept-Encoding"
        }
        let body = ResponseBody { writer in
            if isCompressed {
                try await writeCompressed(text, to: &writer)
            } else {
                try await write(text, to: &writer)
            }
            try await writer.finish(nil)
            withExtendedLifetime(memory) {}
        }
        return Response(status: status, headers: headers, body: body)
    }

    /// Writes a text piece by piece, each once there is room for it.
    @concurrent
    private static func write<Element>(
        _ text: JSONListText<Element>,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        var text = text
        while let piece = try text.next() { try await writer.write(piece) }
    }

    /// Writes a text with the coding gzip, piece by piece, each once there is room for it.
    @concurrent
    private static func writeCompressed<Element>(
        _ text: JSONListText<Element>,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        var text = text
        var deflater = Deflater(.gzip)
        while let piece = try text.next() {
            var output: [UInt8] = []
            piece.withUnsafeReadableBytes { bytes in
                _ = deflater.deflate(bytes, appendingTo: &output, atMost: .max)
            }
            if !output.isEmpty { try await writer.write(ByteBuffer(bytes: output)) }
        }
        var output: [UInt8] = []
        _ = deflater.finish(appendingTo: &output, atMost: .max)
        try await writer.write(ByteBuffer(bytes: output))
    }
}
