import PredicateFormat
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct NumberTests {
    @Test(arguments: [
        ("0", "0"), ("27", "27"), ("007", "7"), ("2.71828", "2.71828"), ("9.2e-5", "9.2e-05"), ("9.2E-5", "9.2e-05"),
        ("1e3", "1000"), ("1E+3", "1000"), ("12e-1", "1.2"), ("2.0", "2"), ("10e-1", "1"), ("0x1B", "27"),
        ("0X1b", "27"), ("0o33", "27"), ("0O33", "27"), ("0b11011", "27"), ("0B11011", "27"), ("0x1e5", "485"),
        ("0e0", "0"),
        ("9223372036854775807", "9223372036854775807"), ("0x7FFFFFFFFFFFFFFF", "9223372036854775807"),
        ("9223372036854775808", "9.223372036854776e+18"), ("0xFFFFFFFFFFFFFFFF", "1.8446744073709552e+19"),
        ("1e300", "1e+300"), ("5e-324", "5e-324"), ("1e-400", "0"), ("1e15", "1000000000000000"),
    ])
    func numberPrintsInDecimal(_ spelling: String, _ canonical: String) throws {
        try expectCanonical(spelling, canonical)
    }

    @Test(arguments: [
        ("-5", "-5"), ("- 5", "-5"), ("-0", "0"), ("-0.0", "0"), ("-0.5", "-0.5"), ("-0x10", "-16"), ("-1e3", "-1000"),
        ("-9223372036854775807", "-9223372036854775807"), ("-9223372036854775808", "-9223372036854775808"),
        ("-0x8000000000000000", "-9223372036854775808"), ("-1e300", "-1e+300"),
    ])
    func signBeforeANumberBelongsToIt(_ spelling: String, _ canonical: String) throws {
        try expectCanonical(spelling, canonical)
        #expect(try ContentPredicate(format: "\(spelling)==SELF").description == "\(canonical) == SELF")
        #expect(
            try ContentPredicate(format: "SELF IN {\(spelling),\(spelling)}").description
                == "SELF IN {\(canonical), \(canonical)}"
        )
    }

    @Test(arguments: [
        "5.", "1.e5", "1_000", "0x", "0xG", "0o8", "0b2", "0x+5", "0b-1", "5a", "1e", "1e+", "1.2.3", "1..2", "1e5.5",
        "0x1.8p3",
        "1e400", "5AND", "0x1FFFFFFFFFFFFFFFF",
    ])
    func invalidNumberIsRefusedAtItsStart(_ spelling: String) throws {
        for format in ["SELF == \(spelling)", "SELF == \(spelling) OR TRUEPREDICATE"] {
            let error = try #require(throws: ContentPredicateError.self) { try ContentPredicate(format: format) }
            #expect(error.code == .syntax)
            #expect(error.offset == 8)
            #expect(
                error.message.contains(
                    "is not a number, or is too large; accepted: 27, 2.71828, 9.2e-5, 0x1B, 0o33, 0b11011"
                )
            )
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func everyNumberSurvivesPrintingAndParsing(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let real = Double(bitPattern: generator.next())
            guard real.isFinite else { continue }
            let integer = Int(truncatingIfNeeded: generator.next() >> UInt64.random(in: 0..<64, using: &generator))
            for predicate in [
                try ContentPredicate(format: "SELF == %f", real), try ContentPredicate(format: "SELF == %ld", integer),
            ] {
                #expect(try ContentPredicate(format: predicate.description) == predicate, "seed \(seed)")
            }
            #expect(
                try ContentPredicate(format: "%f == \(abs(real))", abs(real)).evaluate(with: ""),
                "seed \(seed): \(real)"
            )
            #expect(
                try ContentPredicate(format: "%d == \(integer)", integer).evaluate(with: ""),
                "seed \(seed): \(integer)"
            )
        }
    }

    private func expectCanonical(_ spelling: String, _ canonical: String) throws {
        let predicate = try ContentPredicate(format: "SELF == \(spelling)")
        #expect(predicate.description == "SELF == \(canonical)")
        #expect(try ContentPredicate(format: predicate.description) == predicate)
        #expect(try ContentPredicate(format: "\(spelling) == \(canonical)").evaluate(with: ""))
    }
}
