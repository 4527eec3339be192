import BatchItems
import Foundation
import JSONScanning
import Testing
import WaypostSchema
import WaypostTestSupport

/// `JSONDecoder` decodes everything that the scanner accepts, to the same values.
@Suite struct FoundationAgreementTests {
    private static let itemsPerSeed = 250
    private static let mutantsPerItem = 8

    @Test(arguments: Trials.seeds(8))
    func validItemsHaveTheSameValues(seed: UInt64) throws {
        var generator = ItemGenerator(seed: seed)
        for number in 0..<Self.itemsPerSeed {
            let (text, payload) = generator.item()
            let bytes = Array(text.utf8)
            let item = try #require(scan(bytes), "item \(number) of seed \(seed): \(text)")
            #expect(bytes[item.payload].elementsEqual(payload.utf8), "item \(number) of seed \(seed): \(text)")
            try expectAgreement(item, bytes, "item \(number) of seed \(seed)")
        }
    }

    @Test(arguments: Trials.seeds(8, from: 100))
    func damagedItemsHaveTheSameValuesOrAreRefused(seed: UInt64) throws {
        var generator = ItemGenerator(seed: seed)
        var acceptedCount = 0
        for number in 0..<Self.itemsPerSeed {
            let original = Array(generator.item().text.utf8)
            for _ in 0..<Self.mutantsPerItem {
                let mutant = Self.damaged(original, using: &generator.random)
                guard let item = scan(mutant) else { continue }
                acceptedCount += 1
                try expectAgreement(item, mutant, "item \(number) of seed \(seed)")
            }
        }
        // If hardly any were accepted, the test would prove little.
        #expect(acceptedCount > Self.itemsPerSeed * Self.mutantsPerItem / 10, "seed \(seed)")
    }

    /// `JSONSerialization` parses whole documents; `JSONDecoder` only looks at the requested members.
    @Test(arguments: Trials.seeds(8, from: 200))
    func damagedItemsAreInvalidOnlyIfFoundationAgrees(seed: UInt64) throws {
        var generator = ItemGenerator(seed: seed)
        var brokenCount = 0
        for _ in 0..<Self.itemsPerSeed {
            let original = Array(generator.item().text.utf8)
            for _ in 0..<Self.mutantsPerItem {
                let mutant = Self.damaged(original, using: &generator.random)
                guard let error = jsonError(mutant), !Self.foundationForgives(error.problem) else { continue }
                brokenCount += 1
                let isRead = (try? JSONSerialization.jsonObject(with: Data(mutant))) != nil
                #expect(!isRead, "seed \(seed), \(error): \(String(decoding: mutant, as: UTF8.self))")
            }
        }
        #expect(brokenCount > Self.itemsPerSeed * Self.mutantsPerItem / 2, "seed \(seed)")
    }

    /// Returns whether Foundation accepts the error: numbers beyond a double, which it reads as infinity, and a comma
    /// before a closing brace or bracket.
    private static func foundationForgives(_ problem: JSONError.Problem) -> Bool {
        switch problem {
        case .numberOutOfRange, .trailingComma: true
        default: false
        }
    }

    private static func damaged(_ bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var mutant = bytes
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            Mutation.allCases.randomElement(using: &random)?.apply(to: &mutant, using: &random)
        }
        return mutant
    }

    private func scan(_ bytes: [UInt8]) -> ScannedItem? {
        try? ScannedItem.scan(bytes, in: bytes.indices)
    }

    private func expectAgreement(_ item: ScannedItem, _ bytes: [UInt8], _ place: String) throws {
        let comment = Comment(rawValue: "\(place): \(String(decoding: bytes, as: UTF8.self))")
        do {
            let decoded = try JSONDecoder().decode(BatchItem.self, from: Data(bytes))
            let payload = try JSONDecoder().decode(JSONValue.self, from: Data(bytes[item.payload]))
            #expect(Fields(item, bytes) == Fields(decoded), comment)
            #expect(payload == decoded.payload, comment)
        } catch {
            Issue.record(error, comment)
        }
    }
}

/// The fields other than the payload, with texts as bytes, because `String` considers canonically equivalent texts
/// equal.
private struct Fields: Equatable {
    var texts: [[UInt8]?]
    var numbers: [Int?]

    init(_ item: ScannedItem, _ bytes: [UInt8]) {
        texts = [item.token, item.topic, item.pushType, item.collapseID, item.id].map { text in
            text.map { Array($0.string(in: bytes).utf8) }
        }
        numbers = [item.priority, item.expiration]
    }

    init(_ item: BatchItem) {
        let strings = [
            item.token.rawValue, item.topic.rawValue, item.pushType?.rawValue, item.collapseID?.rawValue,
            item.id?.rawValue,
        ]
        texts = strings.map { $0.map { Array($0.utf8) } }
        numbers = [item.priority, item.expiration]
    }
}
