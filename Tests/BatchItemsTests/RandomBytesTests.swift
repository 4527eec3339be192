import BatchItems
import JSONScanning
import Testing
import WaypostTestSupport

/// The scanner and the reader terminate for any input, and the places of their errors are within it.
@Suite struct RandomBytesTests {
    private static let vocabulary: [[UInt8]] =
        [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\n", " ", "null", "true", "1", "-", "0.5", "1e400", "\"token\"",
            "\"payload\":{}", "\\u", "D83D", "\\uDE00", "é", item("a"),
        ].map { Array($0.utf8) } + [[0xFF], [0xE2, 0x80], [0]]

    @Test(arguments: Trials.seeds(100))
    func randomBytesAreReadToTheEnd(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let count = Int.random(in: 0...60, using: &random)
            expectSoundReading((0..<count).map { _ in UInt8.random(in: 0...0xFF, using: &random) }, seed)
        }
    }

    @Test(arguments: Trials.seeds(100))
    func randomTokensAreReadToTheEnd(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let count = Int.random(in: 0...30, using: &random)
            let tokens = (0..<count).map { _ in Self.vocabulary.randomElement(using: &random) ?? [] }
            expectSoundReading(Array(tokens.joined()), seed)
            expectSoundReading([UInt8(ascii: "[")] + tokens.joined(), seed)
        }
    }

    @Test(arguments: Trials.seeds(10))
    func damagedBatchIsReadToTheEnd(seed: UInt64) {
        var generator = ItemGenerator(seed: seed)
        let items = (0..<8).map { _ in generator.item().text }
        for batch in ["[\(items.joined(separator: ","))]", items.joined(separator: "\n")] {
            for mutation in Mutation.allCases {
                var mutant = Array(batch.utf8)
                mutation.apply(to: &mutant, using: &generator.random)
                expectSoundReading(mutant, seed)
            }
        }
    }

    private func expectSoundReading(_ bytes: [UInt8], _ seed: UInt64) {
        let comment = Comment(rawValue: "seed \(seed): \(bytes)")
        if let error = scanError(bytes) { #expect(0...bytes.count ~= error.offset, comment) }
        var reader = BatchItemReader(bytes)
        var last: BatchItemReader.Entry?
        do throws(BatchItemReader.BodyError) {
            while let entry = try reader.next() {
                #expect(entry.index == (last?.index ?? -1) + 1, comment)
                #expect(entry.offset > last?.offset ?? -1 && entry.offset < bytes.count, comment)
                #expect(entry.line == bytes[..<entry.offset].count { $0 == UInt8(ascii: "\n") } + 1, comment)
                last = entry
            }
        } catch {
            #expect(0...bytes.count ~= error.jsonError.offset, comment)
            #expect(error.line == bytes[..<error.jsonError.offset].count { $0 == UInt8(ascii: "\n") } + 1, comment)
        }
    }
}
