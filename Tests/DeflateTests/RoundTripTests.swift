import Deflate
import Testing
import WaypostTestSupport

@Suite struct RoundTripTests {
    private static let seeds = Trials.seeds(8)

    @Test(arguments: DeflateFormat.allCases, 0...9)
    func inflatingADeflatedStreamGivesTheContent(format: DeflateFormat, level: Int) throws {
        for (sample, seed) in Sample.allCases.flatMap({ sample in Self.seeds.map { (sample, $0) } }) {
            var generator = SeededGenerator(seed: seed)
            let content = sample.bytes(using: &generator)
            let stream = Deflater.deflate(content, as: format, level: Deflater.Level(level))
            let isSame = try Inflater.inflate(stream, as: format) == content
            #expect(isSame, "\(sample), seed \(seed)")
        }
    }

    @Test(arguments: DeflateFormat.allCases, 0...9)
    func chunksGiveTheSameResult(format: DeflateFormat, level: Int) throws {
        for (sample, seed) in Sample.allCases.flatMap({ sample in Self.seeds.map { (sample, $0) } }) {
            var generator = SeededGenerator(seed: seed)
            let content = sample.bytes(using: &generator)
            let wayIn = ChunkSizes.random(for: content.count, using: &generator)
            let stream = wayIn.deflate(content, as: format, level: Deflater.Level(level), using: &generator)
            let wayOut = ChunkSizes.random(for: content.count, using: &generator)
            let isSame = try wayOut.inflate(stream, as: format, using: &generator) == content
            #expect(isSame, "\(sample), \(wayIn), then \(wayOut), seed \(seed)")
        }
    }

    @Test(arguments: DeflateFormat.allCases, 0...9)
    func oneByteOfInputAndOutputPerCallIsEnough(format: DeflateFormat, level: Int) throws {
        var generator = SeededGenerator(seed: UInt64(level))
        let content = Sample.noise(300, using: &generator) + Sample.repetition(1500, using: &generator)
        let single = ChunkSizes(input: 1, output: 1)
        let stream = single.deflate(content, as: format, level: Deflater.Level(level), using: &generator)
        #expect(try single.inflate(stream, as: format, using: &generator) == content)
    }

    @Test(arguments: [(-1, 0), (10, 9), (.min, 0), (.max, 9)])
    func levelIsClamped(value: Int, level: Int) {
        #expect(Deflater.Level(value) == Deflater.Level(level))
    }

    @Test(arguments: 1...9)
    func levelsDiffer(value: Int) {
        #expect(Deflater.Level(value) != Deflater.Level(value - 1))
    }

    @Test func balancedIsLevelSix() {
        #expect(Deflater.Level.balanced == Deflater.Level(6))
    }
}
