import Foundation
import PredicateFormat
import Testing
import WaypostSchema
import WaypostTestSupport

/// The cause of a predicate's result, or of its refusal, in cases as developers reported them.
@Suite struct PredicateReasonVectorTests {
    @Test func casesExistAndEachHasANote() throws {
        let vectors = try PredicateReasonVector.all()
        #expect(vectors.count >= 40)
        #expect(vectors.allSatisfy { !$0.note.isEmpty && $0.source?.isEmpty != true })
    }

    @Test(arguments: try PredicateReasonVector.all().filter { $0.error == nil })
    func resultHasItsCause(_ vector: PredicateReasonVector) throws {
        let evaluation = try ContentPredicate(format: vector.format).evaluation(with: vector.value ?? "")
        #expect(evaluation.error == nil)
        #expect(evaluation.result == vector.result)
        let because = evaluation.decidingPredicate.because
        #expect(because.contains(vector.because), "\(because)")
    }

    @Test(arguments: try PredicateReasonVector.all().filter { $0.error != nil })
    func refusalHasItsCause(_ vector: PredicateReasonVector) throws {
        let error = try #require(throws: ContentPredicateError.self) {
            try ContentPredicate(format: vector.format).evaluate(with: vector.value ?? "")
        }
        #expect(error.code == vector.error)
        if let offset = vector.offset { #expect(error.offset == offset) }
        #expect(error.message.contains(vector.because), "\(error.message)")
    }
}

/// A line of `Tests/Vectors/predicates/reasons.jsonl`; the README of the folder describes the members.
struct PredicateReasonVector: Decodable, Sendable, CustomTestStringConvertible {
    var note: String
    var source: String?
    var format: String
    var value: String?
    var result: Bool?
    var error: ContentPredicateError.Code?
    var offset: Int?
    var because: String

    var testDescription: String { "\(format): \(note)" }

    static func all() throws -> [Self] {
        try Repository.lines(of: Repository.vectors.appending(path: "predicates/reasons.jsonl"))
            .map { try JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
    }
}
