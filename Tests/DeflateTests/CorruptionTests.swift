import Deflate
import Testing
import WaypostTestSupport

@Suite struct CorruptionTests {
    /// A bit of a stream, counted from the lowest bit of the first byte.
    private struct Flip {
        var bit: Int

        var byte: Int { bit / 8 }

        func applied(to stream: [UInt8]) -> [UInt8] {
            var flipped = stream
            flipped[byte] ^= 1 << (bit % 8)
            return flipped
        }

        /// Returns whether a gzip stream of one member has the same contents if the bit is flipped, because nothing
        /// checks the bit.
        func isUnchecked(in stream: [UInt8]) -> Bool {
            let textFlag = 3 * 8
            let timeFlagsAndSystem = 4..<10
            return bit == textFlag || timeFlagsAndSystem.contains(byte) || isPadding(in: stream)
        }

        /// Returns whether the bit may be padding: after the three bits that start a stored block, or at the end.
        private func isPadding(in stream: [UInt8]) -> Bool {
            let firstBlock = 10
            let isStored = stream[firstBlock] >> 1 & 0b11 == 0
            // The CRC-32 and the length follow the last byte of the deflate stream.
            return isStored ? byte == firstBlock && bit % 8 >= 3 : byte == stream.count - 9
        }
    }

    @Test(arguments: [0, 1, 6])
    func flippedBitIsFoundUnlessItIsUnchecked(level: Int) {
        let content = Array("A scene is chosen; a scene is chosen again; the scene that was chosen is shown.".utf8)
        let stream = Deflater.deflate(content, as: .gzip, level: Deflater.Level(level))
        for flip in (0..<(stream.count * 8)).map(Flip.init) {
            guard let output = try? Inflater.inflate(flip.applied(to: stream), as: .gzip) else { continue }
            #expect(output == content && flip.isUnchecked(in: stream), "bit \(flip.bit % 8) of byte \(flip.byte)")
        }
    }

    @Test func flippedBitsOfALargeStreamAreFoundInAnyChunks() {
        let seed: UInt64 = 11
        var generator = SeededGenerator(seed: seed)
        let content = Sample.mixture(5000, using: &generator)
        let stream = Deflater.deflate(content, as: .gzip)
        for _ in 0..<200 {
            let flip = Flip(bit: Int.random(in: 0..<(stream.count * 8), using: &generator))
            let chunkSizes = ChunkSizes.random(for: 300 + stream.count * 20, using: &generator)
            let corrupt = flip.applied(to: stream)
            guard let output = try? chunkSizes.inflate(corrupt, as: .gzip, using: &generator) else { continue }
            #expect(output == content && flip.isUnchecked(in: stream), "bit \(flip.bit), \(chunkSizes), seed \(seed)")
        }
    }

    @Test(arguments: [
        (DeflateFormat.gzip, 8, "incorrect data check"),
        (.gzip, 4, "incorrect length check"),
        (.zlib, 4, "incorrect data check"),
    ])
    func wrongChecksumIsNamed(format: DeflateFormat, bytesBeforeEnd: Int, detail: String) {
        var stream = Deflater.deflate(Array("content".utf8), as: format)
        stream[stream.count - bytesBeforeEnd] ^= 1
        expectCorrupt(stream, format, detail)
    }

    @Test(arguments: [
        (DeflateFormat.gzip, "incorrect header check"),
        (.zlib, "incorrect header check"),
        (.raw, "invalid block type"),
    ])
    func otherDataIsRefused(format: DeflateFormat, detail: String) {
        expectCorrupt(Array(repeating: 0xFF, count: 20), format, detail)
    }

    @Test(arguments: DeflateFormat.allCases, Trials.seeds(50))
    func noiseNeverCrashes(format: DeflateFormat, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let noise = Sample.noise(2000, using: &generator)
        let magic: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        _ = try? Inflater.inflate(noise, as: format)
        _ = try? Inflater.inflate(magic + noise, as: format)
    }

    private func expectCorrupt(_ stream: [UInt8], _ format: DeflateFormat, _ detail: String) {
        let error = #expect(throws: InflateError.self) { try Inflater.inflate(stream, as: format) }
        guard case .corrupt(let offset, let actual) = error else {
            Issue.record("\(String(describing: error)) is not corrupt")
            return
        }
        #expect(actual == detail)
        #expect(0...stream.count ~= offset)
    }
}
