package import Hummingbird
internal import JSONScanning
internal import NIOCore
internal import WaypostSchema

/// Small JSON request bodies.
package enum JSONBody {
    /// The maximum size in bytes of a body that contains no notifications.
    package static let maximumSize = 1 << 20

    /// Decodes a request's body; the response names the keys that nothing reads, see `RequestFindings`.
    ///
    /// - Parameters:
    ///   - type: the value's type.
    ///   - request: the request.
    ///   - maximumSize: the maximum size of the body in bytes.
    /// - Returns: the value.
    /// - Throws: `RequestError` that names the field or the byte, or `CancellationError`.
    package static func decode<Value: Decodable>(
        _ type: Value.Type,
        from request: Request,
        maximumSize: Int = JSONBody.maximumSize
    ) async throws -> Value {
        let bytes = try await bytes(of: request, maximumSize: maximumSize)
        return try describingErrors { () throws in
            let document = try JSONDocument(bytes)
            let (result, unknownKeys) = DocumentDecoder.decodeFindingUnknownKeys(type, from: document.root)
            let value = try result.get()
            RequestFindings.current?.add(unknownKeys)
            return value
        }
    }

    /// Decodes the body of a request that a person wrote: a key that nothing reads is an error.
    ///
    /// - Parameters:
    ///   - type: the value's type.
    ///   - request: the request.
    ///   - maximumSize: the maximum size of the body in bytes.
    /// - Returns: the value.
    /// - Throws: `RequestError` that names the field, the key or the byte, or `CancellationError`.
    package static func decodeStrictly<Value: Decodable>(
        _ type: Value.Type,
        from request: Request,
        maximumSize: Int = JSONBody.maximumSize
    ) async throws -> Value {
        let bytes = try await bytes(of: request, maximumSize: maximumSize)
        return try describingErrors { () throws in
            try DocumentDecoder.decodeStrictly(type, from: JSONDocument(bytes).root)
        }
    }

    /// Returns the bytes of a request's body, at most `maximumSize`.
    ///
    /// - Throws: `RequestError.bodyTooLarge`, `RequestError.malformedBody` if it ends early, `CancellationError`, or an
    ///   error of `BodyMemory`.
    package static func bytes(
        of request: Request,
        maximumSize: Int = JSONBody.maximumSize
    ) async throws -> [UInt8] {
        var body = ByteBuffer()
        var chunks = RequestChunks(request)
        do {
            try await chunks.read { chunk in
                guard body.readableBytes + chunk.readableBytes <= maximumSize else {
                    throw RequestError.bodyTooLarge(limit: maximumSize)
                }
                try BodyMemory.current?.reserve(body.readableBytes + chunk.readableBytes)
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
        try describingErrors { () throws in try DocumentDecoder.decode(type, from: bytes) }
    }

    private static func describingErrors<Value>(_ decode: () throws -> Value) throws(RequestError) -> Value {
        do {
            return try decode()
        } catch let error as JSONError {
            throw .malformedBody("the body is not JSON: \(error), at byte \(error.offset)", offset: error.offset)
        } catch let error as UnknownKeyError {
            throw .malformedBody(error.sentence)
        } catch {
            throw .malformedBody(DecodingError.sentence(of: error))
        }
    }
}
