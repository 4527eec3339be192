import Deflate
import Testing

@Suite struct StreamProgressTests {
    private let content = Array(repeating: UInt8(ascii: "a"), count: 1000)

    @Test(arguments: DeflateFormat.allCases)
    func inputBeyondTheBoundOfTheOutputIsLeft(format: DeflateFormat) throws {
        let stream = Deflater.deflate(content, as: format, level: Deflater.Level(0))
        var inflater = Inflater(format)
        var output: [UInt8] = []
        let progress = try stream.withUnsafeBytes { bytes in
            try inflater.inflate(bytes, appendingTo: &output, atMost: 10)
        }
        #expect(progress.produced == 10)
        #expect(progress.consumed < stream.count)
        #expect(output == Array(content.prefix(10)))
    }

    /// A raw stream has nothing behind its last block, so its input may be used up long before its output.
    @Test func outputThatDidNotFitComesWithoutInput() throws {
        let content: [UInt8] = Array(repeating: 0, count: 100_000)
        let stream = Deflater.deflate(content, as: .raw)
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        var isInputEverUsedUp = false
        for bound in 99_500..<100_000 {
            var inflater = Inflater(.raw)
            var output: [UInt8] = []
            let progress = try stream.withUnsafeBytes { bytes in
                try inflater.inflate(bytes, appendingTo: &output, atMost: bound)
            }
            guard progress.consumed == stream.count else { continue }
            isInputEverUsedUp = true
            _ = try inflater.inflate(none, appendingTo: &output, atMost: 1000)
            try inflater.finish()
            #expect(output == content, "bound \(bound)")
        }
        #expect(isInputEverUsedUp)
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
        #expect(deflated.consumed == 0 && deflated.produced == 0)
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
