package import Hummingbird
package import NIOCore
internal import WaypostSchema

/// The body of a request, in chunks as they arrive.
package struct RequestChunks {
    /// The maximum number of bytes of a refused body that are read so that the client can read the response.
    private static let maximumDrainedBytes = 64 << 20

    private var chunks: RequestBody.AsyncIterator
    private let closesConnection: Bool

    /// Creates the chunks of a request's body.
    package init(_ request: Request) {
        chunks = request.body.makeAsyncIterator()
        closesConnection = request.headers[.connection]?.lowercased() == "close"
    }

    /// Passes each chunk to `body`.
    ///
    /// - Throws: any error of `body`; `RequestError.malformedBody` if the body ends early; `CancellationError`.
    package mutating func read(into body: (ByteBuffer) throws -> Void) async throws {
        while let chunk = try await next() { try body(chunk) }
    }

    /// Reads and discards the rest of the body, if the connection closes after this request.
    ///
    /// A client that is still sending does not see the response until its whole body is read. On other connections the
    /// response is sent at once.
    package mutating func drain() async {
        var drainedBytes = 0
        while closesConnection, drainedBytes < Self.maximumDrainedBytes, let chunk = try? await next() {
            drainedBytes += chunk.readableBytes
        }
    }

    private mutating func next() async throws -> ByteBuffer? {
        do {
            return try await chunks.next(isolation: #isolation)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw RequestError.malformedBody("the body ended early: \(error)")
        }
    }
}
