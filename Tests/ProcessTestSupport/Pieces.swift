package import NIOCore

/// A body that is sent in pieces.
package struct Pieces: AsyncSequence, Sendable {
    private let body: ByteBuffer
    private let count: Int
    private let beforeEach: @Sendable () async -> Void

    /// Creates a body in `count` pieces, before each of which it awaits `beforeEach`.
    package init(body: ByteBuffer, count: Int, beforeEach: @escaping @Sendable () async -> Void) {
        (self.body, self.count, self.beforeEach) = (body, count, beforeEach)
    }

    /// The pieces that are still to come.
    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var rest: ByteBuffer
        fileprivate let size: Int
        fileprivate let beforeEach: @Sendable () async -> Void

        /// Returns the next piece.
        package mutating func next() async -> ByteBuffer? {
            guard rest.readableBytes > 0 else { return nil }
            await beforeEach()
            return rest.readSlice(length: Swift.min(size, rest.readableBytes))
        }
    }

    /// Returns an iterator of the pieces.
    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(rest: body, size: Swift.max(1, (body.readableBytes + count - 1) / count), beforeEach: beforeEach)
    }
}
