import Foundation
import HTTPTypes
import HummingbirdCore
import LocalService
import NIOCore
import Testing

/// Tests of answers with long lists, which are made and written piece by piece.
@Suite struct JSONListTests {
    /// A value with a list between other members.
    private struct Report: Encodable {
        var count: Int
        var list: [String]
        var name = "\"list\":[]"
    }

    /// The memory of the elements.
    private final class Memory: Sendable {}

    private static let maximum = JSONListText<String>.maximumPieceCount

    private static func text(of elements: [String]) throws -> JSONListText<String> {
        try JSONListText(Report(count: elements.count, list: []), list: "list", of: elements)
    }

    @Test(
        arguments: [
            (0, 1), (1, 1), (maximum, 1), (maximum + 1, 2), (2 * maximum, 2), (2 * maximum + 1, 3), (10 * maximum, 10),
        ]
    )
    func textIsMadeInPieces(_ count: Int, _ pieceCount: Int) throws {
        let elements = (0..<count).map { "\($0)/\"" }
        var text = try Self.text(of: elements)
        #expect(text.isShort == (pieceCount == 1))
        var pieces: [String] = []
        while let piece = try text.next() { pieces.append(String(buffer: piece)) }
        let whole = String(decoding: try JSONText.data(Report(count: count, list: elements)), as: UTF8.self) + "\n"
        #expect(pieces.joined() == whole)
        #expect(pieces.count == pieceCount)
        let last = try text.next()
        #expect(last == nil)
    }

    @Test func valueWithoutTheListIsAnError() throws {
        #expect(throws: EncodingError.self) {
            _ = try JSONListText(Report(count: 1, list: ["a"]), list: "list", of: ["b"])
        }
    }

    @Test(arguments: [(1, true), (maximum, true), (maximum + 1, false)])
    func shortAnswerHasItsLength(_ count: Int, _ hasLength: Bool) throws {
        let text = try Self.text(of: Array(repeating: "x", count: count))
        let response = try JSONResponse.make(text, holding: Memory())
        #expect((response.body.contentLength != nil) == hasLength)
    }

    @Test func longAnswerIsWrittenPieceByPiece() async throws {
        let text = try Self.text(of: Array(repeating: "x", count: 3 * Self.maximum))
        let response = try JSONResponse.make(text, holding: Memory())
        let recorded = try await Self.pieces(of: response.body)
        #expect(recorded == 3)
    }

    /// Returns the number of pieces in which a body is written.
    @concurrent
    private static func pieces(of body: ResponseBody) async throws -> Int {
        let count = PieceCount()
        try await body.write(CountingWriter(count: count))
        return await count.value
    }

    private actor PieceCount {
        private(set) var value = 0

        func add() {
            value += 1
        }
    }

    /// A writer that counts what is written.
    private struct CountingWriter: ResponseBodyWriter {
        let count: PieceCount

        @concurrent mutating func write(_ buffer: ByteBuffer) async throws {
            await count.add()
        }

        @concurrent consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }
}
