import Foundation
import WaypostTestSupport

extension FuzzQuestion {
    /// The initial corpus: the whole language, refused constructs of it, and texts that are difficult to compare.
    static var seeds: [FuzzQuestion] {
        comparisons + compounds + collections + literals + refusals + limits
    }

    /// The questions of the project's test vectors; a format that is refused has the empty value.
    static var vectors: [FuzzQuestion] {
        get throws {
            let decoder = JSONDecoder()
            return try Repository.lines(of: Repository.vectors.appending(path: "predicates/answers.jsonl"))
                .flatMap { line in
                    let vector = try decoder.decode(Vector.self, from: Data(line.utf8))
                    let values = [vector.holds, vector.fails, vector.cannot].flatMap { $0 ?? [] }
                    return (values.isEmpty ? [""] : values).map { FuzzQuestion(vector.format, $0) }
                }
        }
    }

    /// The members of a test vector that make questions.
    private struct Vector: Decodable {
        var format: String
        var holds: [String]?
        var fails: [String]?
        var cannot: [String]?
    }

    private static let comparisons = [
        FuzzQuestion("SELF == 'circus'", "circus"),
        FuzzQuestion("'circus' = SELF", "tent"),
        FuzzQuestion("SELF !=[c] 'Circus'", "circus"),
        FuzzQuestion("SELF <>[n] 'e\\u0301'", "\u{E9}"),
        FuzzQuestion("SELF ==[cd] 'CAFE'", "cafe\u{301}"),
        FuzzQuestion("SELF < 'b' && SELF >= 'a'", "ab"),
        FuzzQuestion("SELF =<[c] 'M' || SELF =>[d] 'm'", "\u{B5}"),
        FuzzQuestion("SELF > SELF", "a"),
        FuzzQuestion("SELF BEGINSWITH 'https://'", "https://example.com/clowns"),
        FuzzQuestion("SELF beginswith[cd] 'HTTPS'", "\u{FF48}ttps://"),
        FuzzQuestion("SELF ENDSWITH '/edit'", "/documents/1/edit"),
        FuzzQuestion("SELF ENDSWITH[c] 'ss'", "Stra\u{DF}e"),
        FuzzQuestion("SELF CONTAINS 'own'", "clowntown"),
        FuzzQuestion("SELF CONTAINS[cd] '\u{1F921}'", "a \u{1F921} and a \u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"),
        FuzzQuestion("'abcdef' CONTAINS[n] SELF", "cde"),
        FuzzQuestion("SELF LIKE '*/clowns/?*'", "example.com/clowns/7"),
        FuzzQuestion("SELF LIKE[cd] 'a?\\\\*b*c??'", "A\u{E9}*bbcde"),
        FuzzQuestion("SELF LIKE '\\\\'", "a"),
        FuzzQuestion("'abc' LIKE SELF", "a*\\"),
        FuzzQuestion("SELF LIKE '*'", ""),
    ]

    private static let compounds = [
        FuzzQuestion("TRUEPREDICATE", ""),
        FuzzQuestion("NOT FALSEPREDICATE", ""),
        FuzzQuestion("SELF == 'a' OR SELF == 'b' OR SELF == 'c'", "b"),
        FuzzQuestion("SELF == 'a' AND SELF != 'b' OR NOT SELF == 'c'", "a"),
        FuzzQuestion("!(SELF == 'a' && (SELF == 'b' || SELF == 'c'))", "c"),
        FuzzQuestion("NOT NOT (NOT SELF CONTAINS 'x')", "x"),
        FuzzQuestion("((SELF) == ('a')) OR (TRUEPREDICATE AND (FALSEPREDICATE))", "b"),
        FuzzQuestion("SELF == 'a' OR SELF > 3", "a"),
        FuzzQuestion("SELF == 'a' OR (SELF == 'b' OR SELF == 'a') OR SELF CONTAINS 'd'", "b"),
    ]

    private static let collections = [
        FuzzQuestion("SELF IN {'a', 'b', 'b', ''}", "b"),
        FuzzQuestion("SELF IN {}", "a"),
        FuzzQuestion("SELF IN 'clowntown'", "town"),
        FuzzQuestion("{'a', SELF, {1, nil}} CONTAINS SELF", "a"),
        FuzzQuestion("{SELF, 2} == {'a', 2.0}", "a"),
        FuzzQuestion("SELF IN {SELF, 1, nil, TRUE, {}}", "a"),
        FuzzQuestion("SELF BETWEEN {'a', 'm'}", "g"),
        FuzzQuestion("2 BETWEEN {3, 1}", ""),
        FuzzQuestion("SELF BETWEEN {'a', 1}", "b"),
        FuzzQuestion("SELF BETWEEN {'a'}", "a"),
        FuzzQuestion("1 IN 2", ""),
        FuzzQuestion("nil IN {nil}", ""),
    ]

    private static let literals = [
        FuzzQuestion("SELF == \"a\\\"b\\\\c'd\"", "a\"b\\c'd"),
        FuzzQuestion("SELF == 'it\\'s\\a\\b\\t\\n\\v\\f\\r'", "it's"),
        FuzzQuestion("SELF == '\\101\\x42\\u0043\\000'", "ABC\0"),
        FuzzQuestion("SELF CONTAINS '\\ud83e\\udd21'", "\u{1F921}"),
        FuzzQuestion("SELF ENDSWITH '\u{0}'", "a"),
        FuzzQuestion("1 == 0x1 AND 8 == 0o10 AND 2 == 0b10", ""),
        FuzzQuestion("-1 < 9.2e-5 AND 27 >= 2.71828", ""),
        FuzzQuestion("-9223372036854775808 <= 9223372036854775807", ""),
        FuzzQuestion("18446744073709551615 > 1e308 OR -0.0 == 0", ""),
        FuzzQuestion("0.1 != 1e22 AND 5e-324 > 123456789012345680.0", ""),
        FuzzQuestion("YES == TRUE AND NO != FALSE AND NIL == NULL", ""),
        FuzzQuestion("SELF >= nil OR nil <= nil", ""),
    ]

    private static let refusals = [
        "SELF MATCHES[c] '.*'", "SELF ==[l] 'a'", "SELF ==[w] 'a'", "ANY SELF == 'a'", "SELF UTI-EQUALS 'public.text'",
        "SELF.length == 1", "length == 1", "#SELF == 'a'", "SELF.@count == 1", "SELF[FIRST] == 'a'", "SELF[0] == 'a'",
        "$x == 'a'", "$x := 'a' == SELF", "1 + 2 ** 3 == 9", "~1 == -(-2)", "SELF == %@", "%K LIKE %s", "%ld == %.2f",
        "FUNCTION(SELF, 'lowercaseString') == 'a'", "CAST('1', 'NSNumber') == 1", "SUBQUERY(SELF, $y, $y == 'a') == 1",
        "lowercase:(SELF) == 'a'", "BLOCKPREDICATE(0x1)", "sum:with:(1, 2) > 3", "SELF BEGINS WITH 'a'", "SELF LIK 'a'",
        "SELF", "SELF ==", "SELF == 'a", "SELF == 'a' AND", "(SELF == 'a'", "SELF == 'a')", "SELF IN {'a',}",
        "SELF == '\\u12'", "SELF == '\\ud83e'", "SELF == \u{201C}a\u{201D}", "SELF == ? 'a'", "SELF == 0x",
        "SELF ==[cdx] 'a'", "SELF == 1e999", "",
    ].map { FuzzQuestion($0, "a") }

    /// The maximum nesting depth, and one level more.
    private static let limits = [256, 257].flatMap { depth in
        let openings = String(repeating: "(", count: depth)
        let closings = String(repeating: ")", count: depth)
        let aggregate = String(repeating: "{", count: depth) + String(repeating: "}", count: depth)
        return [
            FuzzQuestion("\(openings)SELF == 'a'\(closings)", "a"),
            FuzzQuestion("\(openings)SELF\(closings) == 'a'", "a"),
            FuzzQuestion(String(repeating: "NOT ", count: depth) + "SELF == 'a'", "a"),
            FuzzQuestion("SELF IN \(aggregate)", "a"),
        ]
    }
}
