import Foundation
import PredicateFormat
import Testing
import WaypostSchema
import WaypostTestSupport

/// The reference cases beside the checkout.
///
/// Documented cases have exactly the documented result. `docs/predicates.md` explains why some other cases have a
/// different result.
@Suite(.enabled(if: Repository.sharedCases != nil))
struct SharedPredicateCaseTests {
    /// The undocumented cases that this project decides differently, by the detail that they depend on.
    private static let decidedOtherwise: Set = ["like_norm", "like_unit"]

    private let cases: [SharedPredicateCase]

    init() throws {
        let folder = try #require(Repository.sharedCases)
        let decoder = JSONDecoder()
        cases = try Repository.lines(of: folder.appending(path: "predicates.jsonl"))
            .map { try decoder.decode(SharedPredicateCase.self, from: Data($0.utf8)) }
        #expect(cases.count >= 1_000)
    }

    @Test func everyDocumentedCaseHasTheDocumentedResult() {
        let disagreements = cases.filter { $0.basis == "documented" && !$0.isAnsweredAsExpected }
        #expect(disagreements.isEmpty, Self.report(disagreements))
    }

    @Test func everyOtherCaseHasItsResultOrAKnownDifference() {
        let disagreements = cases.filter { $0.basis != "documented" && !$0.isAnsweredAsExpected }
        print("Different from the observed result, by the deciding detail:\n\(Self.report(disagreements))")
        let undecided = disagreements.filter { Self.decidedOtherwise.isDisjoint(with: $0.hinges) }
        #expect(undecided.isEmpty, Self.report(undecided))
    }

    @Test func everyCanonicalTextIsAsExpected() throws {
        for example in cases {
            guard let expected = example.canonical else { continue }
            let predicate = try ContentPredicate(format: example.format)
            #expect(predicate.description == expected, "case \(example.id): \(example.format)")
            #expect(try ContentPredicate(format: expected) == predicate, "case \(example.id): \(example.format)")
        }
    }

    @Test func everyRefusalHasAnOffsetInTheFormat() {
        for example in cases {
            guard case .rejected(let error) = example.answer else { continue }
            #expect(0...example.format.utf8.count ~= error.offset, "case \(example.id): \(example.format)")
            #expect(
                error.message.contains("found") || error.message.contains("expected"),
                "case \(example.id): \(error.message)"
            )
        }
    }

    /// Returns the disagreements by category, each with its cases.
    private static func report(_ disagreements: [SharedPredicateCase]) -> Comment {
        let classes = Dictionary(grouping: disagreements) { "\($0.category), \($0.basis), \($0.hinges)" }
        let lines = classes.sorted { $0.key < $1.key }.map { name, cases in
            "\(name): \(cases.count)\n" + cases.map { "  \($0)" }.joined(separator: "\n")
        }
        return Comment(rawValue: lines.joined(separator: "\n"))
    }
}

/// The fields of a line of `predicates.jsonl` that these tests use.
struct SharedPredicateCase: Decodable, CustomStringConvertible {
    /// The outcome of a predicate: its result or its error.
    enum Answer {
        case result(Bool)
        case rejected(ContentPredicateError)
    }

    /// The expected code of a refusal.
    private struct Rejection: Decodable {
        var reject: String
    }

    private enum CodingKeys: String, CodingKey {
        case id, category, format, value, basis, hinges
        case expected = "apple"
        case canonical = "apple_canonical"
    }

    var id: Int
    var category: String
    var format: String
    var value: String
    var basis: String
    var hinges: [String]
    var canonical: String?

    /// `true` or `false`, or the error code of the expected refusal.
    var expected: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int.self, forKey: .id)
        category = try container.decode(String.self, forKey: .category)
        format = try container.decode(String.self, forKey: .format)
        value = try container.decode(String.self, forKey: .value)
        basis = try container.decode(String.self, forKey: .basis)
        hinges = try container.decode([String].self, forKey: .hinges)
        canonical = try container.decodeIfPresent(String.self, forKey: .canonical)
        if let result = try? container.decode(Bool.self, forKey: .expected) {
            expected = String(result)
        } else {
            let code = try container.decode(Rejection.self, forKey: .expected).reject
            expected = code == "eval" ? ContentPredicateError.Code.evaluation.rawValue : code
        }
    }

    var answer: Answer {
        do throws(ContentPredicateError) {
            return .result(try ContentPredicate(format: format).evaluate(with: value))
        } catch {
            return .rejected(error)
        }
    }

    var isAnsweredAsExpected: Bool {
        switch answer {
        case .result(let result): String(result) == expected
        case .rejected(let error): error.code.rawValue == expected
        }
    }

    var description: String {
        "\(id) \(expected), but \(answer): \(format.debugDescription) on \(value.debugDescription)"
    }
}
