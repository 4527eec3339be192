import Deflate
import Testing
import WaypostTestSupport

@Suite struct GzipMemberTests {
    @Test(arguments: Trials.seeds(40))
    func membersInflateToTheConcatenationOfTheirContents(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let contents = Self.contents(using: &generator)
        let stream = contents.flatMap { Deflater.deflate($0, as: .gzip) }
        let content = Array(contents.joined())
        let chunkSizes = ChunkSizes.random(for: content.count, using: &generator)
        #expect(try Inflater.inflate(stream, as: .gzip) == content, "seed \(seed)")
        #expect(try chunkSizes.inflate(stream, as: .gzip, using: &generator) == content, "\(chunkSizes), seed \(seed)")
    }

    @Test func everySplitOfTwoMembersInflates() throws {
        let members = [Array("Do you ".utf8), Array("copy?".utf8)]
        let stream = members.flatMap { Deflater.deflate($0, as: .gzip) }
        for split in 0...stream.count {
            var inflater = Inflater(.gzip)
            var output: [UInt8] = []
            for part in [stream[..<split], stream[split...]] {
                _ = try part.withUnsafeBytes { try inflater.inflate($0, appendingTo: &output, atMost: 100) }
            }
            try inflater.finish()
            #expect(output == Array("Do you copy?".utf8), "split at \(split)")
        }
    }

    @Test func incompleteSecondMemberIsTruncated() {
        let member = Deflater.deflate(Array("copy".utf8), as: .gzip)
        for count in 1..<member.count {
            let stream = member + member.prefix(count)
            #expect(throws: InflateError.truncated(offset: stream.count)) {
                try Inflater.inflate(stream, as: .gzip)
            }
        }
    }

    @Test func limitsApplyToAllMembersTogether() {
        let member = Deflater.deflate(Array(repeating: 0, count: 1000), as: .gzip)
        let limits = InflationLimits(maximumOutput: 1999)
        #expect(throws: InflateError.outputLimitExceeded(limit: 1999)) {
            try Inflater.inflate(member + member, as: .gzip, limits: limits)
        }
    }

    /// Returns up to eight contents, some of them empty.
    private static func contents(using generator: inout SeededGenerator) -> [[UInt8]] {
        (0..<Int.random(in: 2...8, using: &generator)).map { _ in
            let count = Int.random(in: 0...600, using: &generator)
            return switch Int.random(in: 0...3, using: &generator) {
            case 0: []
            case 1: Sample.noise(count, using: &generator)
            default: Sample.repetition(count, using: &generator)
            }
        }
    }
}
