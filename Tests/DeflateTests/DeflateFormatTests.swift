import Deflate
import Testing
import WaypostTestSupport

@Suite struct DeflateFormatTests {
    @Test(arguments: [DeflateFormat.zlib, .raw], 0...9)
    func formatsOfTheContentCodingDeflateAreDistinguished(format: DeflateFormat, level: Int) {
        for seed in UInt64(0)..<20 {
            var generator = SeededGenerator(seed: seed)
            let size = Int.random(in: 0...3000, using: &generator)
            let noise = Sample.noise(size, using: &generator)
            let repetition = Sample.repetition(size, using: &generator)
            for content in [noise, repetition] {
                let stream = Deflater.deflate(content, as: format, level: Deflater.Level(level))
                #expect(DeflateFormat.detect(firstByte: stream[0], secondByte: stream[1]) == format, "seed \(seed)")
            }
        }
    }

    @Test(arguments: [
        (0x78, 0x9C, DeflateFormat.zlib),
        (0x78, 0x9D, .raw),
        (0x08, 0x1D, .zlib),
        (0x88, 0x1C, .raw),
        (0x79, 0x9C, .raw),
        (0x00, 0x00, .raw),
    ])
    func headerHasMethodWindowAndCheck(first: UInt8, second: UInt8, format: DeflateFormat) {
        #expect(DeflateFormat.detect(firstByte: first, secondByte: second) == format)
    }

    @Test(arguments: 9...15)
    func everyWindowOfZlibIsRecognized(windowBits: Int) throws {
        let first = UInt8(windowBits - 8) << 4 | 8
        let second = try #require((UInt8.min...UInt8.max).first { (Int(first) << 8 | Int($0)).isMultiple(of: 31) })
        #expect(DeflateFormat.detect(firstByte: first, secondByte: second) == .zlib)
    }
}
