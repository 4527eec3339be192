import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import LocalService

/// The bytes of chunked requests that are not content, with an embedded decoder.
@Suite struct ChunkOverheadTests {
    private let channel = EmbeddedChannel()

    private static let head = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    private static let extensionPiece = String(repeating: "a", count: 1_024)

    init() throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)))
        try ChunkOverheadLimit().add(to: pipeline)
    }

    private func receive(_ texts: String...) throws {
        for text in texts { try channel.writeInbound(ByteBuffer(string: text)) }
    }

    /// Returns how many of `count` equal pieces are received before one is refused.
    private func acceptedCount(of piece: String, count: Int = 100) -> Int {
        for index in 0..<count {
            do {
                try receive(piece)
            } catch {
                return index
            }
        }
        return count
    }

    @Test func extensionsOfAChunkAreLimited() throws {
        try receive(Self.head, "2;")
        #expect(acceptedCount(of: Self.extensionPiece) == 15)
    }

    @Test func extensionsOfManyChunksAreLimitedTogether() throws {
        try receive(Self.head)
        let chunk = "1;\(String(repeating: "a", count: 1_000))\r\nx\r\n"
        #expect(acceptedCount(of: chunk) == 16)
    }

    @Test func shortChunksEarnNoRoomForLongExtensions() throws {
        try receive(Self.head)
        #expect(acceptedCount(of: "1\r\nx\r\n", count: 10_000) == 10_000)
        try receive("2;")
        #expect(acceptedCount(of: Self.extensionPiece) == 15)
    }

    @Test func trailersAreLimited() throws {
        try receive(Self.head, "2\r\n{}\r\n", "0\r\n")
        #expect(acceptedCount(of: "X: \(String(repeating: "a", count: 1_019))\r\n") == 15)
    }

    @Test(arguments: [
        "1\r\nx\r\n", "0000000000000001\r\nx\r\n", "400\r\n\(extensionPiece)\r\n", "1;a=b\r\nx\r\n",
        "1\r\nx\r\n1\r\ny\r\n1\r\nz\r\n",
    ])
    func usualChunksAreNotLimited(_ chunk: String) throws {
        try receive(Self.head)
        #expect(acceptedCount(of: chunk, count: 10_000) == 10_000)
    }

    @Test func chunkMayArriveInPieces() throws {
        try receive(Self.head)
        for _ in 0..<5_000 { try receive("1", "\r", "\n", "x", "\r", "\n") }
    }

    @Test func eachRequestHasItsOwnLimit() throws {
        for _ in 0..<10 {
            try receive(Self.head, "2;")
            #expect(acceptedCount(of: Self.extensionPiece, count: 10) == 10)
            try receive("\r\n{}\r\n", "0\r\n\r\n")
        }
    }

    @Test func bodyWithALengthHasNoOverhead() throws {
        try receive("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 102400\r\n\r\n")
        #expect(acceptedCount(of: Self.extensionPiece) == 100)
    }

    @Test func nothingIsPassedOnAfterTheLimit() throws {
        try receive(Self.head, "2;")
        #expect(acceptedCount(of: Self.extensionPiece) == 15)
        while try channel.readInbound(as: HTTPServerRequestPart.self) != nil {}
        try receive("\r\n{}\r\n", "0\r\n\r\n")
        #expect(try channel.readInbound(as: HTTPServerRequestPart.self) == nil)
    }
}
