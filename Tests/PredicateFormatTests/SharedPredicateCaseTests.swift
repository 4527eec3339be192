import Foundation
import PredicateFormat
import Testing
import WaypostTestSupport

/// The reference cases beside the checkout: what this version reads, it answers as they do.
@Suite(.enabled(if: Repository.sharedCases != nil))
struct SharedPredicateCaseTests {
    private let cases: [SharedPredicateCase]

    init() throws {
        let folder = try #require(Repository.sharedCases)
        let decoder = JSONDecoder()
        cases = try Repository.lines(of: folder.appending(path: "predicates.jsonl"))
            .map { try decoder.decode(SharedPredicateCase.self, from: Data($0.utf8)) }
    }

    @Test func whatIsReadIsAnsweredAsDocumented() throws {
        var answered = 0
        for example in cases where example.basis == "documented" {
            guard let expected = example.result, let predicate = predicate(of: example) else { continue }
            #expect(predicate.evaluate(with: example.value) == expected, "case \(example.id): \(example.format)")
            #expect(predicate.description == example.canonical, "case \(example.id): \(example.format)")
            answered += 1
        }
        #expect(answered >= 80, "of \(cases.count) cases only \(answered) were read")
    }

    @Test func whatIsToBeRefusedIsNeverRead() {
        let refused = cases.filter { $0.result == nil }
        #expect(refused.count >= 60)
        for example in refused {
            #expect(predicate(of: example) == nil, "case \(example.id): \(example.format)")
        }
    }

    private func predicate(of example: SharedPredicateCase) -> ContentPredicate? {
        try? ContentPredicate(format: example.format)
    }
}

/// A line of `predicates.jsonl`, as far as it matters here.
struct SharedPredicateCase: Decodable {
    private enum CodingKeys: String, CodingKey {
        case id
        case format
        case value
        case basis
        case result = "apple"
        case canonical = "apple_canonical"
    }

    var id: Int
    var format: String
    var value: String
    var basis: String

    /// The answer; `nil` where the format is to be refused.
    var result: Bool?
    var canonical: String?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int.self, forKey: .id)
        format = try container.decode(String.self, forKey: .format)
        value = try container.decode(String.self, forKey: .value)
        basis = try container.decode(String.self, forKey: .basis)
        result = try? container.decode(Bool.self, forKey: .result)
        canonical = try container.decodeIfPresent(String.self, forKey: .canonical)
    }
}
