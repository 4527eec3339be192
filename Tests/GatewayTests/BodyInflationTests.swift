import Deflate
import NIOCore
import Testing

@testable import Gateway

@Suite struct BodyInflationTests {
    static let text = Array("{\"n\":1}\n{\"n\":2}\n".utf8)

    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var coding: ContentCoding
        var bytes: [UInt8]
        var result = text
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "identity", coding: .identity, bytes: text),
        Case(name: "gzip", coding: .gzip, bytes: Deflater.deflate(text, as: .gzip)),
        Case(
            name: "gzip of three members",
            coding: .gzip,
            bytes: Array([text, [], text].map { Deflater.deflate($0, as: .gzip) }.joined()),
            result: text + text
        ),
        Case(name: "zlib", coding: .deflate, bytes: Deflater.deflate(text, as: .zlib)),
        Case(name: "raw deflate", coding: .deflate, bytes: Deflater.deflate(text, as: .raw)),
        Case(name: "raw deflate of an empty body", coding: .deflate, bytes: Deflater.deflate([], as: .raw), result: []),
    ]

    static func inflate(
        _ bytes: [UInt8],
        _ coding: ContentCoding,
        firstPiece: Int,
        pieces: Int
    ) throws(GatewayError) -> [UInt8] {
        var inflation = BodyInflation(coding, limits: BatchLimits())
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + (start == 0 ? firstPiece : pieces))
            try inflation.append(ByteBuffer(bytes: bytes[start..<end]))
            start = end
        }
        return try inflation.finish()
    }

    @Test(arguments: cases, [(1, 1), (1, 1_000), (2, 1_000), (1_000, 1_000)])
    func bodyInflatesRegardlessOfHowItIsSplit(_ example: Case, _ cut: (first: Int, rest: Int)) throws {
        let result = try Self.inflate(example.bytes, example.coding, firstPiece: cut.first, pieces: cut.rest)
        #expect(result == example.result)
    }

    @Test(arguments: [ContentCoding.gzip, .deflate]) func bodyThatEndsTooEarlyIsTruncated(_ coding: ContentCoding) {
        let whole = Deflater.deflate(Self.text, as: coding == .gzip ? .gzip : .zlib)
        for count in 0..<whole.count {
            let bytes = Array(whole.prefix(count))
            #expect(throws: GatewayError.badEncoding(.truncated(offset: count))) {
                _ = try Self.inflate(bytes, coding, firstPiece: 1, pieces: 3)
            }
        }
    }

    @Test(arguments: [ContentCoding.identity, .gzip]) func memoryIsReservedBeforeItIsUsed(
        _ coding: ContentCoding
    ) throws {
        let text = [UInt8](repeating: 0x20, count: 1 << 20)
        let body = coding == .gzip ? Deflater.deflate(text, as: .gzip) : text
        var inflation = BodyInflation(coding, limits: BatchLimits())
        var reserved = 0
        #expect(throws: GatewayError.overloaded) {
            try inflation.append(ByteBuffer(bytes: body)) { count throws(GatewayError) in
                guard count <= 512 << 10 else { throw .overloaded }
                reserved = count
            }
        }
        #expect(reserved == (coding == .gzip ? 512 << 10 : 0))
    }

    @Test func bodyCanBeAsLargeAsTheLimit() throws {
        var limits = BatchLimits()
        limits.bodySize = 10
        var inflation = BodyInflation(.identity, limits: limits)
        try inflation.append(ByteBuffer(repeating: 0x20, count: 10))
        var thrown: GatewayError?
        do { try inflation.append(ByteBuffer(repeating: 0x20, count: 1)) } catch { thrown = error }
        #expect(thrown == .bodyTooLarge(limit: 10))
        _ = try inflation.finish()
    }
}
