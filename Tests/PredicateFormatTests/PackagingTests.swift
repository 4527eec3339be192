import Foundation
import PredicateFormat
import Testing
import WaypostSchema
import WaypostTestSupport

/// Encoding of a predicate, and its decoding at the receiver.
@Suite struct PackagingTests {
    @Test(
        .proves("T47", "T63"),
        arguments: [
            "TRUEPREDICATE", "SELF == 'caf\u{E9} \\\"\\n'",
            "SELF IN {'a', 5, nil, 0.5} OR NOT (SELF LIKE[cd] 'a*' AND SELF != 1)",
            "SELF BETWEEN {'a', 'b'}",
        ]
    )
    func predicateSurvivesEncodingAndDecoding(_ format: String) throws {
        let predicate = try ContentPredicate(format: format)
        let data = try JSONEncoder().encode(predicate)
        #expect(try JSONDecoder().decode(ContentPredicate.self, from: data) == predicate)
        #expect(try ContentPredicate(predicate.packaged()) == predicate)
    }

    @Test func packageContainsItsVersionAndTheCanonicalForm() throws {
        let package = try ContentPredicate(format: "self='a'").packaged()
        #expect(package == PackagedPredicate(version: 1, format: "SELF == \"a\""))
        let data = try JSONEncoder().encode(ContentPredicate.equals("a"))
        #expect(try JSONDecoder().decode(PackagedPredicate.self, from: data) == package)
    }

    @Test(arguments: [
        ("SELF MATCHES '.*'", ContentPredicateError.Code.forbidden, 5), ("SELF == 'a' OR length == 5", .forbidden, 15),
        ("SELF == %@", .forbidden, 8), ("SELF ==", .syntax, 7), ("", .syntax, 0),
        (String(repeating: "(", count: 1_000), .syntax, 1_000),
    ])
    func invalidFormatIsRefusedWhileDecoding(
        _ format: String,
        _ code: ContentPredicateError.Code,
        _ offset: Int
    ) throws {
        let package = PackagedPredicate(format: format)
        let refusal = try #require(throws: ContentPredicateError.self) { try ContentPredicate(package) }
        #expect(refusal.code == code)
        #expect(refusal.offset == offset)
        let data = try JSONEncoder().encode(package)
        let error = try #require(throws: DecodingError.self) {
            try JSONDecoder().decode(ContentPredicate.self, from: data)
        }
        guard case .dataCorrupted(let context) = error else { throw error }
        #expect(context.debugDescription == "\(refusal.message) (\(code.rawValue), offset \(offset))")
        #expect(context.underlyingError as? ContentPredicateError == refusal)
    }

    @Test(arguments: [-1, 0, 2, .max])
    func otherVersionIsRefused(_ version: Int) throws {
        let package = PackagedPredicate(version: version, format: "TRUEPREDICATE")
        let refusal = try #require(throws: ContentPredicateError.self) { try ContentPredicate(package) }
        #expect(refusal.message.contains("packaged in version \(version); version 1 is accepted"))
        let data = try JSONEncoder().encode(package)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(ContentPredicate.self, from: data) }
    }

    @Test(arguments: [
        "{}", "\"TRUEPREDICATE\"", "{\"version\": 1}", "{\"version\": \"1\", \"format\": \"TRUEPREDICATE\"}",
    ])
    func invalidPackageIsRefused(_ json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(ContentPredicate.self, from: Data(json.utf8)) }
    }

    @Test func decodingErrorHasItsCodingPath() throws {
        let data = try JSONEncoder().encode(["can": PackagedPredicate(format: "SELF ==")])
        let error = try #require(throws: DecodingError.self) {
            try JSONDecoder().decode([String: ContentPredicate].self, from: data)
        }
        guard case .dataCorrupted(let context) = error else { throw error }
        #expect(context.codingPath.map(\.stringValue) == ["can"])
    }

    /// A built predicate may be longer than the limit of the parser.
    ///
    /// It can be evaluated, but not encoded.
    @Test func tooLongPredicateIsRefusedWhileEncoding() throws {
        let predicate = ContentPredicate.equals(String(repeating: "a", count: ContentPredicate.maximumLength))
        #expect(try !predicate.evaluate(with: "a"))
        let refusal = try #require(throws: ContentPredicateError.self) { try predicate.packaged() }
        #expect(refusal.code == .syntax)
        #expect(refusal.message.contains("a canonical form of 100010 bytes; at most 100000 are accepted"))
        let error = try #require(throws: EncodingError.self) { try JSONEncoder().encode(predicate) }
        guard case .invalidValue(_, let context) = error else { throw error }
        #expect(context.debugDescription == refusal.message)
        let longest = ContentPredicate.equals(String(repeating: "a", count: ContentPredicate.maximumLength - 10))
        #expect(try ContentPredicate(longest.packaged()) == longest)
    }
}
