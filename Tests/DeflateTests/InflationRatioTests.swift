import Deflate
import Testing
import WaypostTestSupport

@Suite struct InflationRatioTests {
    /// The output that the default limits allow at any ratio, and the most output between two checks.
    private static let floor = 32 << 20
    private static let step = 64 << 10

    @Test func bombIsRefusedEarly() {
        let bomb = Self.deflate(Array(repeating: 0, count: 1 << 20), times: 64)
        #expect((64 << 20) / bomb.count > 1000)
        expectRefusal(bomb)
    }

    /// A bomb of 1 MiB that would inflate to 1 GiB.
    @Test func bombOfManyMembersIsRefusedEarly() {
        let member = Self.deflate(Array(repeating: 0, count: 1 << 20), times: 16)
        let bomb = Array(repeatElement(member, count: 64).joined())
        #expect(bomb.count < 1_100_000)
        expectRefusal(bomb)
    }

    @Test func bombAfterAnHonestMemberIsRefused() {
        let honest = Deflater.deflate(Array("honest".utf8), as: .gzip)
        expectRefusal(honest + Self.deflate(Array(repeating: 0, count: 1 << 20), times: 64))
    }

    private func expectRefusal(_ bomb: [UInt8]) {
        var inflater = Inflater(.gzip)
        var output: [UInt8] = []
        let error = #expect(throws: InflateError.self) {
            try bomb.withUnsafeBytes { _ = try inflater.inflate($0, appendingTo: &output, atMost: .max) }
        }
        guard case .ratioLimitExceeded(400, let input, output.count) = error else {
            Issue.record("\(String(describing: error)) is not an error of the ratio limit")
            return
        }
        #expect(output.count / input > 400)
        #expect(output.count <= Self.floor + Self.step)
    }

    /// Log lines, the most compressible data in practice, deflate to about 1/150 of their size.
    @Test func honestDataMayBeLarge() throws {
        let seed: UInt64 = 2
        var generator = SeededGenerator(seed: seed)
        let block = Self.logLines(1 << 20, using: &generator)
        let stream = Self.deflate(block, times: 48)
        let size = 48 * block.count
        #expect(130...170 ~= size / stream.count, "seed \(seed)")
        #expect(size > Self.floor + Self.step)
        #expect(try Inflater.inflate(stream, as: .gzip).count == size)
    }

    @Test func shortOutputMayHaveAnyRatio() throws {
        let content: [UInt8] = Array(repeating: 0, count: 10_000)
        let stream = Deflater.deflate(content, as: .raw)
        let limits = InflationLimits(maximumRatio: 2, ratioExemptOutput: 10_000)
        #expect(content.count / stream.count > 100)
        #expect(try Inflater.inflate(stream, as: .raw, limits: limits) == content)
    }

    @Test func floorIsABoundary() {
        let stream = Deflater.deflate(Array(repeating: 0, count: 10_000), as: .raw)
        let limits = InflationLimits(maximumRatio: 2, ratioExemptOutput: 9999)
        #expect(throws: InflateError.ratioLimitExceeded(limit: 2, input: stream.count, output: 10_000)) {
            try Inflater.inflate(stream, as: .raw, limits: limits)
        }
    }

    @Test func ratioEqualToTheLimitIsAllowed() throws {
        let (stream, size) = try Self.streamOfWholeRatio()
        let limits = InflationLimits(maximumRatio: size / stream.count, ratioExemptOutput: 0)
        #expect(try Inflater.inflate(stream, as: .raw, limits: limits).count == size)
    }

    @Test func ratioAboveTheLimitIsRefused() throws {
        let (stream, size) = try Self.streamOfWholeRatio()
        let ratio = size / stream.count - 1
        let limits = InflationLimits(maximumRatio: ratio, ratioExemptOutput: 0)
        #expect(throws: InflateError.ratioLimitExceeded(limit: ratio, input: stream.count, output: size)) {
            try Inflater.inflate(stream, as: .raw, limits: limits)
        }
    }

    private static func deflate(_ block: [UInt8], times count: Int) -> [UInt8] {
        var deflater = Deflater(.gzip)
        var stream: [UInt8] = []
        for _ in 0..<count {
            _ = block.withUnsafeBytes { deflater.deflate($0, appendingTo: &stream, atMost: .max) }
        }
        _ = deflater.finish(appendingTo: &stream, atMost: .max)
        return stream
    }

    /// Returns a repeated line, with one byte changed in every twelfth line.
    private static func logLines(_ size: Int, using generator: inout SeededGenerator) -> [UInt8] {
        let line = Sample.noise(100, using: &generator)
        let eleven = Array(repeatElement(line, count: 11).joined())
        var bytes: [UInt8] = []
        while bytes.count < size {
            var changed = line
            changed[Int.random(in: line.indices, using: &generator)] = UInt8.random(in: 0...0xFF, using: &generator)
            bytes += eleven + changed
        }
        return bytes
    }

    /// Returns deflated zeros whose size is a multiple of the deflated size.
    private static func streamOfWholeRatio() throws -> (stream: [UInt8], size: Int) {
        let streams = (1000...5000).lazy.map { size in
            (stream: Deflater.deflate(Array(repeating: 0, count: size), as: .raw), size: size)
        }
        return try #require(streams.first { $0.size.isMultiple(of: $0.stream.count) })
    }
}
