import Foundation
import PredicateFormat
import Testing
import WaypostSchema
import WaypostTestSupport

/// The project's own cases: formats, the values for which they hold, and the formats that are refused.
@Suite struct PredicateVectorTests {
    @Test func everyCategoryHasCases() throws {
        let counts = Dictionary(grouping: try PredicateVector.all(), by: \.category).mapValues(\.count)
        #expect(counts.count == 14)
        #expect(counts.values.allSatisfy { $0 >= 5 }, "\(counts)")
    }

    @Test(arguments: try PredicateVector.accepted())
    func predicateHoldsForItsValuesOnly(_ example: PredicateVector) throws {
        let predicate = try ContentPredicate(format: example.format)
        for value in example.holds ?? [] { #expect(try predicate.evaluate(with: value), "\(value.debugDescription)") }
        for value in example.fails ?? [] { #expect(try !predicate.evaluate(with: value), "\(value.debugDescription)") }
        for value in example.cannot ?? [] {
            let error = #expect(throws: ContentPredicateError.self) { try predicate.evaluate(with: value) }
            #expect(error?.code == .evaluation, "\(value.debugDescription)")
        }
    }

    @Test(arguments: try PredicateVector.accepted())
    func canonicalTextIsAsExpectedAndMeansTheSame(_ example: PredicateVector) throws {
        let predicate = try ContentPredicate(format: example.format)
        if let canonical = example.canonical { #expect(predicate.description == canonical) }
        #expect(try ContentPredicate(format: predicate.description) == predicate)
    }

    @Test(arguments: try PredicateVector.refused())
    func formatIsRefusedAtItsPlace(_ example: PredicateVector) throws {
        let error = #expect(throws: ContentPredicateError.self) { try ContentPredicate(format: example.format) }
        #expect(error?.code == example.error)
        if let offset = example.offset { #expect(error?.offset == offset) }
        #expect(error.map { 0...example.format.utf8.count ~= $0.offset } == true)
        #expect(error.map { $0.message.contains("found") || $0.message.contains("expected") } == true)
    }
}

/// A line of `Tests/Vectors/predicates/answers.jsonl`; its README describes the fields.
struct PredicateVector: Decodable, Sendable, CustomTestStringConvertible {
    var category: String
    var format: String
    var canonical: String?
    var holds: [String]?
    var fails: [String]?
    var cannot: [String]?
    var error: ContentPredicateError.Code?
    var offset: Int?
    var testDescription: String { format }

    static func all() throws -> [PredicateVector] {
        try Repository.lines(of: Repository.vectors.appending(path: "predicates/answers.jsonl"))
            .map { try JSONDecoder().decode(PredicateVector.self, from: Data($0.utf8)) }
    }

    static func accepted() throws -> [PredicateVector] {
        try all().filter { $0.error == nil }
    }

    static func refused() throws -> [PredicateVector] {
        try all().filter { $0.error != nil }
    }
}
