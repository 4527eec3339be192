import HTTPTypes
import HummingbirdCore
import LocalService
import NIOCore
import Testing

/// Tests of the pieces in which event streams are written.
@Suite struct EventPieceTests {
    /// A writer that keeps what is written.
    private struct RecordingWriter: ResponseBodyWriter {
        var pieces: [ByteBuffer] = []

        @concurrent mutating func write(_ buffer: ByteBuffer) async throws {
            pieces.append(buffer)
        }

        @concurrent consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    /// Returns the pieces that `write` writes.
    @concurrent
    private static func pieces(
        _ write: @Sendable @concurrent (inout any ResponseBodyWriter) async throws -> Void
    ) async throws -> [String] {
        var writer: any ResponseBodyWriter = RecordingWriter()
        try await write(&writer)
        return (writer as? RecordingWriter)?.pieces.map { String(buffer: $0) } ?? []
    }

    private static let maximum = ServerSentEventText.maximumPieceSize

    @Test(
        arguments: [
            (0, []), (1, [1]), (maximum, [maximum]), (maximum + 1, [maximum, 1]),
            (3 * maximum, [maximum, maximum, maximum]),
        ] as [(Int, [Int])]
    )
    func textIsWrittenInPieces(_ size: Int, _ sizes: [Int]) async throws {
        let pieces = try await Self.pieces { writer in
            try await ServerSentEventText.write(ByteBuffer(repeating: 0x61, count: size), to: &writer)
        }
        #expect(pieces.map(\.utf8.count) == sizes)
    }

    @Test(arguments: [0, 1, 5, 1_000]) func valuesBecomeEvents(_ count: Int) async throws {
        let values = (0..<count).map { "\($0) " + String(repeating: "x", count: 600) }
        let pieces = try await Self.pieces { writer in
            try await ServerSentEventText.write(values, as: "value", to: &writer)
        }
        #expect(pieces.joined() == values.map { "event: value\ndata: \"\($0)\"\n\n" }.joined())
        #expect(pieces.allSatisfy { $0.utf8.count <= Self.maximum })
        #expect(pieces.count <= 2 * (count * 700 / Self.maximum + 1))
    }

    @Test(arguments: [0, 1, 5, 1_000]) func listIsOneEvent(_ count: Int) async throws {
        let values = (0..<count).map { "\($0) " + String(repeating: "x", count: 600) }
        let pieces = try await Self.pieces { writer in
            try await ServerSentEventText.writeList(values, as: "agents", to: &writer)
        }
        let list = values.map { "\"\($0)\"" }.joined(separator: ",")
        #expect(pieces.joined() == "event: agents\ndata: {\"agents\":[\(list)]}\n\n")
        #expect(pieces.allSatisfy { $0.utf8.count <= Self.maximum })
    }
}
