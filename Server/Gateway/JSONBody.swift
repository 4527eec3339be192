internal import Deflate
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import JSONScanning
internal import WaypostSchema

/// Answers in JSON.
enum JSONResponse {
    /// From how many bytes on an answer is compressed for who accepts that.
    private static let worthCompressing = 1_024

    static func make(
        _ body: some Encodable,
        status: HTTPResponse.Status = .ok,
        headers fields: HTTPFields = [:],
        compressing: Bool = false
    ) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A line break at the end, for those who look at the answer in a terminal.
        let data = try encoder.encode(body) + [0x0A]
        var headers = fields
        headers[.contentType] = "application/json"
        guard compressing, data.count >= worthCompressing else {
            return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: data)))
        }
        headers[.contentEncoding] = "gzip"
        headers[.vary] = "Accept-Encoding"
        let compressed = Deflater.deflate(Array(data), as: .gzip)
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: compressed)))
    }
}

/// Small bodies in JSON.
enum JSONBody {
    /// The most bytes of a body that describes something, rather than carrying notifications.
    static let maximumSize = 1 << 20

    static func decode<Value: Decodable>(_ type: Value.Type, from request: Request) async throws -> Value {
        var body = ByteBuffer()
        var pieces = RequestPieces(request)
        do {
            try await pieces.read { piece in
                guard body.readableBytes + piece.readableBytes <= maximumSize else {
                    throw GatewayFault.bodyTooLarge(limit: maximumSize)
                }
                body.writeImmutableBuffer(piece)
            }
        } catch {
            await pieces.drain()
            throw error
        }
        return try decode(type, from: Array(body.readableBytesView))
    }

    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws(GatewayFault) -> Value {
        if let fault = JSONFault.first(in: bytes) {
            throw .malformedBody("the body is not JSON: \(fault), at byte \(fault.offset)", offset: fault.offset)
        }
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch {
            throw .malformedBody((error as? DecodingError)?.sentence ?? "\(error)")
        }
    }
}
