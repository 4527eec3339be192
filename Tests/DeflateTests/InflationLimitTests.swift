import Deflate
import Testing
import WaypostTestSupport

@Suite struct InflationLimitTests {
    @Test(arguments: DeflateFormat.allCases, [1, 1000, 65_535, 65_536, 65_537, 200_000])
    func outputMayReachTheLimit(format: DeflateFormat, size: Int) throws {
        let stream = Deflater.deflate(Array(repeating: 7, count: size), as: format)
        let limits = InflationLimits(maximumOutput: size)
        #expect(try Inflater.inflate(stream, as: format, limits: limits).count == size)
    }

    @Test(arguments: DeflateFormat.allCases, [1, 1000, 65_535, 65_536, 65_537, 200_000])
    func outputMayNotExceedTheLimit(format: DeflateFormat, size: Int) {
        let stream = Deflater.deflate(Array(repeating: 7, count: size), as: format)
        let limits = InflationLimits(maximumOutput: size - 1)
        #expect(throws: InflateError.outputLimitExceeded(limit: size - 1)) {
            try Inflater.inflate(stream, as: format, limits: limits)
        }
    }

    @Test(arguments: DeflateFormat.allCases)
    func limitIsTheSameInChunks(format: DeflateFormat) throws {
        var generator = SeededGenerator(seed: 1)
        let content = Sample.mixture(3000, using: &generator)
        let stream = Deflater.deflate(content, as: format)
        let chunkSizes = ChunkSizes(input: 9, output: 4)
        let enough = InflationLimits(maximumOutput: 3000)
        #expect(try chunkSizes.inflate(stream, as: format, limits: enough, using: &generator) == content)
        #expect(throws: InflateError.outputLimitExceeded(limit: 2999)) {
            try chunkSizes.inflate(stream, as: format, limits: InflationLimits(maximumOutput: 2999), using: &generator)
        }
    }

    @Test func emptyOutputIsWithinALimitOfZero() throws {
        let limits = InflationLimits(maximumOutput: 0)
        #expect(try Inflater.inflate(Deflater.deflate([], as: .gzip), as: .gzip, limits: limits).isEmpty)
    }

    @Test func largestLimitsRefuseNothing() throws {
        let content: [UInt8] = Array(repeating: 0, count: 100_000)
        let limits = InflationLimits(maximumOutput: .max, maximumRatio: .max, ratioExemptOutput: .max)
        #expect(try Inflater.inflate(Deflater.deflate(content, as: .gzip), as: .gzip, limits: limits) == content)
    }

    @Test func atMostOneByteIsAppendedBeyondTheLimit() {
        let stream = Deflater.deflate(Array(repeating: 7, count: 200_000), as: .raw)
        var inflater = Inflater(.raw, limits: InflationLimits(maximumOutput: 1000))
        var output: [UInt8] = []
        #expect(throws: InflateError.outputLimitExceeded(limit: 1000)) {
            try stream.withUnsafeBytes { _ = try inflater.inflate($0, appendingTo: &output, atMost: .max) }
        }
        #expect(output.count <= 1001)
    }
}
