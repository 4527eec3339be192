import Deflate
import Testing
import WaypostTestSupport

@Suite struct TruncationTests {
    private let content = Array("Houston, we have a problem. We have a problem here, Houston.".utf8)

    @Test(arguments: DeflateFormat.allCases, [0, 1, 6])
    func everyProperPrefixIsTruncated(format: DeflateFormat, level: Int) throws {
        let stream = Deflater.deflate(content, as: format, level: Deflater.Level(level))
        for count in 0..<stream.count {
            #expect(throws: InflateError.truncated(offset: count)) {
                try Inflater.inflate(Array(stream.prefix(count)), as: format)
            }
        }
        #expect(try Inflater.inflate(stream, as: format) == content)
    }

    @Test(arguments: DeflateFormat.allCases)
    func chunksGiveTheSameResult(format: DeflateFormat) {
        var generator = SeededGenerator(seed: 3)
        let stream = Deflater.deflate(content, as: format)
        for count in 0..<stream.count {
            let chunkSizes = ChunkSizes(input: count % 4 + 1, output: count % 3 + 1)
            #expect(throws: InflateError.truncated(offset: count), "\(chunkSizes)") {
                try chunkSizes.inflate(Array(stream.prefix(count)), as: format, using: &generator)
            }
        }
    }

    @Test(arguments: DeflateFormat.allCases)
    func outputBeforeTheTruncationIsAPrefixOfTheContent(format: DeflateFormat) throws {
        let stream = Deflater.deflate(content, as: format)
        for count in 0..<stream.count {
            var inflater = Inflater(format)
            var output: [UInt8] = []
            let progress = try stream[..<count].withUnsafeBytes { bytes in
                try inflater.inflate(bytes, appendingTo: &output, atMost: .max)
            }
            #expect(progress.consumedCount == count)
            #expect(content.starts(with: output))
        }
    }
}
