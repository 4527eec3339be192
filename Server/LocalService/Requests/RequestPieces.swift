package import Hummingbird
package import NIOCore
internal import WaypostSchema

/// The body of a request, in pieces as they arrive.
package struct RequestPieces {
    /// The most bytes of a refused body that are read so that the client can see the response.
    private static let drainLimit = 64 << 20

    private var pieces: RequestBody.AsyncIterator
    private let endsConnection: Bool

    /// Creates the pieces of a request's body.
    package init(_ request: Request) {
        pieces = request.body.makeAsyncIterator()
        endsConnection = request.headers[.connection]?.lowercased() == "close"
    }

    /// Passes each piece to `take`.
    ///
    /// - Throws: any error of `take`; `RequestError.malformedBody` if the body ends early; `CancellationError`.
    package mutating func read(into take: (ByteBuffer) throws -> Void) async throws {
        while let piece = try await next() { try take(piece) }
    }

    /// Reads and discards the rest of the body, if the connection closes after this request.
    ///
    /// A client that is still sending does not see the response until its whole body is read. On other connections the
    /// response is sent at once.
    package mutating func drain() async {
        var drained = 0
        while endsConnection, drained < Self.drainLimit, let piece = try? await next() {
            drained += piece.readableBytes
        }
    }

    private mutating func next() async throws -> ByteBuffer? {
        do {
            return try await pieces.next(isolation: #isolation)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw RequestError.malformedBody("the body ended early: \(error)")
        }
    }
}
