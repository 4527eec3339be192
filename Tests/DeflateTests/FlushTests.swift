import Deflate
import Testing
import WaypostTestSupport

@Suite struct FlushTests {
    /// Deflates `chunks` with a flush after each, and returns the output of each flush.
    private static func groups(_ chunks: [[UInt8]], _ format: DeflateFormat, atMost count: Int) -> [[UInt8]] {
        var deflater = Deflater(format, memory: .minimal)
        var groups = chunks.map { chunk in
            var output: [UInt8] = []
            var rest = chunk[...]
            while !rest.isEmpty {
                let progress = rest.withUnsafeBytes {
                    deflater.deflate($0, appendingTo: &output, atMost: count)
                }
                rest = rest.dropFirst(progress.consumedCount)
            }
            while !deflater.flush(appendingTo: &output, atMost: count) {}
            return output
        }
        var end: [UInt8] = []
        while !deflater.finish(appendingTo: &end, atMost: count) {}
        groups.append(end)
        return groups
    }

    private static func chunks(seed: UInt64) -> [[UInt8]] {
        var generator = SeededGenerator(seed: seed)
        return (0..<8).map { _ in
            (0..<Int.random(in: 0...5_000, using: &generator)).map { _ in .random(in: 97...104, using: &generator) }
        }
    }

    @Test(arguments: DeflateFormat.allCases, [7, 100, Int.max])
    func flushedDataCanBeInflatedBeforeTheRestArrives(format: DeflateFormat, count: Int) throws {
        let chunks = Self.chunks(seed: UInt64(count % 1_000))
        var inflater = Inflater(format)
        var inflated: [UInt8] = []
        for (group, expected) in zip(Self.groups(chunks, format, atMost: count), chunks) {
            inflated = []
            _ = try group.withUnsafeBytes { bytes throws(InflateError) in
                try inflater.inflate(bytes, appendingTo: &inflated, atMost: .max)
            }
            #expect(inflated == expected)
        }
    }

    @Test(arguments: DeflateFormat.allCases, Trials.seeds(20))
    func flushedChunksFormACompleteStream(format: DeflateFormat, seed: UInt64) throws {
        let chunks = Self.chunks(seed: seed)
        let stream = Self.groups(chunks, format, atMost: .max).flatMap { $0 }
        #expect(try Inflater.inflate(stream, as: format) == chunks.flatMap { $0 })
    }

    /// A heartbeat on an idle stream costs only a few bytes.
    @Test func flushWithoutNewDataIsShort() {
        let groups = Self.groups(Array(repeating: [], count: 10), .gzip, atMost: .max)
        #expect(groups.dropFirst().dropLast().allSatisfy { $0.count <= 5 })
    }
}
