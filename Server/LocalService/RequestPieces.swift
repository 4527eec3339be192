package import Hummingbird
package import NIOCore
internal import WaypostSchema

/// The body of a request, piece by piece as it comes in.
package struct RequestPieces {
    /// The most bytes of a refused body that are read for the sake of its sender.
    private static let drainLimit = 64 << 20

    private var pieces: RequestBody.AsyncIterator
    private let endsConnection: Bool

    /// Creates the pieces of a request's body.
    package init(_ request: Request) {
        pieces = request.body.makeAsyncIterator()
        endsConnection = request.headers[.connection]?.lowercased() == "close"
    }

    /// Hands each piece to `take`.
    ///
    /// - Throws: what `take` throws, `RequestError.malformedBody` where the body breaks off, `CancellationError`.
    package mutating func read(into take: (ByteBuffer) throws -> Void) async throws {
        while let piece = try await next() { try take(piece) }
    }

    /// Reads on where the connection ends with this request.
    ///
    /// A client that is still sending does not see an answer before its body is through. Otherwise the answer goes out at once.
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
            throw RequestError.malformedBody("the body breaks off: \(error)")
        }
    }
}
