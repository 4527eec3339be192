import Deflate
import Testing

@Suite struct StreamProgressTests {
    private let content = Array(repeating: UInt8(ascii: "a"), count: 1000)

    @Test(arguments: DeflateFormat.allCases)
    func inputBeyondTheOutputBoundIsNotConsumed(format: DeflateFormat) throws {
        let stream = Deflater.deflate(content, as: format, level: Deflater.Level(0))
        var inflater = Inflater(format)
        var output: [UInt8] = []
        let progress = try stream.withUnsafeBytes { bytes in
            try inflater.inflate(bytes, appendingTo: &output, atMost: 10)
        }
        #expect(progress.producedCount == 10)
        #expect(progress.consumedCount < stream.count)
        #expect(output == Array(content.prefix(10)))
    }

    /// A raw stream has nothing after its last block, so its input may be consumed long before its output is complete.
    @Test func remainingOutputNeedsNoInput() throws {
        // 500 times 'a': the last byte contains both the end of the last match and the end of the block.
        let stream: [UInt8] = [0x4B, 0x4C, 0x1C, 0x05, 0x23, 0x2D, 0x04, 0x00]
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        var inflater = Inflater(.raw)
        var output: [UInt8] = []
        let first = try stream.withUnsafeBytes { bytes in
            try inflater.inflate(bytes, appendingTo: &output, atMost: 400)
        }
        #expect(first.consumedCount == stream.count && first.producedCount == 400)
        let second = try inflater.inflate(none, appendingTo: &output, atMost: 1000)
        #expect(second.consumedCount == 0 && second.producedCount == 100)
        try inflater.finish()
        #expect(output == Array(repeating: UInt8(ascii: "a"), count: 500))
    }

    @Test(arguments: DeflateFormat.allCases)
    func emptyInputMakesNoProgress(format: DeflateFormat) throws {
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        var output: [UInt8] = []
        var deflater = Deflater(format)
        let deflated = deflater.deflate(none, appendingTo: &output, atMost: 10)
        var inflater = Inflater(format)
        let inflated = try inflater.inflate(none, appendingTo: &output, atMost: 10)
        #expect(deflated == inflated)
        #expect(deflated.consumedCount == 0 && deflated.producedCount == 0)
    }

    @Test(arguments: DeflateFormat.allCases)
    func finishingAgainChangesNothing(format: DeflateFormat) {
        var deflater = Deflater(format)
        var output: [UInt8] = []
        #expect(deflater.finish(appendingTo: &output, atMost: 100))
        let stream = output
        #expect(deflater.finish(appendingTo: &output, atMost: 100))
        #expect(output == stream)
    }
}
