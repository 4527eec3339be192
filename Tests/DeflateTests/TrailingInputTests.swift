import Deflate
import Testing
import WaypostTestSupport

@Suite struct TrailingInputTests {
    struct Case: CustomTestStringConvertible {
        var format: DeflateFormat
        var trailer: [UInt8]

        var testDescription: String { "\(format) followed by \(trailer)" }
    }

    static let cases = DeflateFormat.allCases.flatMap { format in
        [[0], [0xFF], [0x1E, 0x8B], Array(repeating: 0, count: 512)].map { Case(format: format, trailer: $0) }
    }

    private let content = Array("Over and out. Over and out.".utf8)

    @Test(arguments: cases)
    func trailingInputIsRefusedAtItsStart(_ example: Case) {
        let stream = Deflater.deflate(content, as: example.format)
        #expect(throws: InflateError.trailingInput(offset: stream.count)) {
            try Inflater.inflate(stream + example.trailer, as: example.format)
        }
    }

    @Test(
        arguments: cases,
        [ChunkSizes(input: 1, output: 1), ChunkSizes(input: 3, output: 100), ChunkSizes(input: 100, output: 1)]
    )
    func chunksGiveTheSameResult(_ example: Case, chunkSizes: ChunkSizes) {
        var generator = SeededGenerator(seed: 5)
        let stream = Deflater.deflate(content, as: example.format)
        #expect(throws: InflateError.trailingInput(offset: stream.count)) {
            try chunkSizes.inflate(stream + example.trailer, as: example.format, using: &generator)
        }
    }

    @Test(arguments: [DeflateFormat.zlib, .raw])
    func onlyGzipHasSeveralMembers(format: DeflateFormat) {
        let stream = Deflater.deflate(content, as: format)
        #expect(throws: InflateError.trailingInput(offset: stream.count)) {
            try Inflater.inflate(stream + stream, as: format)
        }
    }

    @Test func inputThatStartsLikeAMemberMustBeAMember() {
        let stream = Deflater.deflate(content, as: .gzip)
        let error = #expect(throws: InflateError.self) {
            try Inflater.inflate(stream + [0x1F, 0x8C, 0x08], as: .gzip)
        }
        guard case .corrupt(let offset, _) = error else {
            Issue.record("\(String(describing: error)) is not corrupt")
            return
        }
        #expect(offset > stream.count)
    }

    @Test(arguments: DeflateFormat.allCases)
    func contentBeforeTrailingInputIsComplete(format: DeflateFormat) {
        let stream = Deflater.deflate(content, as: format) + [0]
        var inflater = Inflater(format)
        var output: [UInt8] = []
        #expect(throws: InflateError.self) {
            try stream.withUnsafeBytes { _ = try inflater.inflate($0, appendingTo: &output, atMost: .max) }
        }
        #expect(output == content)
    }
}
