import Deflate
import Foundation
import Testing
import WaypostTestSupport

/// Agreement with other deflate programs, in both directions.
@Suite(.serialized) struct OtherProgramTests {
    struct Program: CustomTestStringConvertible {
        var format: DeflateFormat
        var deflate: [String]
        var inflate: [String]

        var testDescription: String { "\(deflate[0]), \(format)" }

        /// Returns Python's zlib module with `windowBits`.
        static func python(_ format: DeflateFormat, windowBits: Int) -> Self {
            let deflate = "c = zlib.compressobj(9, 8, int(argv[1])); out = c.compress(data) + c.flush()"
            let inflate = "out = zlib.decompress(data, int(argv[1]))"
            let command = { (line: String) -> [String] in
                let script = """
                    import zlib; from sys import argv, stdin, stdout
                    data = stdin.buffer.read(); \(line); stdout.buffer.write(out)
                    """
                return ["/usr/bin/python3", "-c", script, "\(windowBits)"]
            }
            return Self(format: format, deflate: command(deflate), inflate: command(inflate))
        }
    }

    static let programs = [
        Program(format: .gzip, deflate: ["gzip", "-c"], inflate: ["gzip", "-dc"]),
        .python(.gzip, windowBits: 31),
        .python(.zlib, windowBits: 15),
        .python(.zlib, windowBits: 9),
        .python(.raw, windowBits: -15),
        .python(.raw, windowBits: -9),
    ]

    static let pigz = Program(format: .zlib, deflate: ["pigz", "-zc"], inflate: ["pigz", "-dzc"])

    static var hasPigz: Bool {
        ExternalCommand.succeeds(["pigz", "--version"])
    }

    @Test(arguments: programs, Sample.allCases)
    func programInflatesOurStreams(program: Program, sample: Sample) async throws {
        // A smaller window than ours is only for the other direction.
        guard !["9", "-9"].contains(program.inflate.last) else { return }
        try await expectThatItInflatesOurs(program, sample)
    }

    @Test(arguments: programs, Sample.allCases)
    func programsStreamsAreInflated(program: Program, sample: Sample) async throws {
        try await expectThatWeInflateIts(program, sample)
    }

    @Test(.enabled(if: hasPigz, "pigz is not installed"), arguments: Sample.allCases)
    func pigzAgreesInBothDirections(sample: Sample) async throws {
        try await expectThatItInflatesOurs(Self.pigz, sample)
        try await expectThatWeInflateIts(Self.pigz, sample)
    }

    @Test func membersJoinedByOtherProgramsInflate() async throws {
        let ours = Deflater.deflate(Array("one ".utf8), as: .gzip)
        let theirs = try await ExternalCommand.run(["gzip", "-c"], input: Data("two".utf8))
        #expect(try Inflater.inflate(ours + theirs, as: .gzip) == Array("one two".utf8))
        #expect(try await ExternalCommand.run(["gzip", "-dc"], input: Data(ours) + theirs) == Data("one two".utf8))
    }

    private func expectThatItInflatesOurs(_ program: Program, _ sample: Sample) async throws {
        let seed: UInt64 = 7
        var generator = SeededGenerator(seed: seed)
        let content = sample.bytes(using: &generator)
        let stream = Deflater.deflate(content, as: program.format)
        let isSame = try await ExternalCommand.run(program.inflate, input: Data(stream)) == Data(content)
        #expect(isSame, "seed \(seed)")
    }

    private func expectThatWeInflateIts(_ program: Program, _ sample: Sample) async throws {
        let seed: UInt64 = 8
        var generator = SeededGenerator(seed: seed)
        let content = sample.bytes(using: &generator)
        let stream = Array(try await ExternalCommand.run(program.deflate, input: Data(content)))
        let chunkSizes = ChunkSizes.random(for: content.count, using: &generator)
        let isSame = try chunkSizes.inflate(stream, as: program.format, using: &generator) == content
        #expect(isSame, "\(chunkSizes), seed \(seed)")
    }
}
