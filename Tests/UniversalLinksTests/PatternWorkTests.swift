import Testing

@testable import UniversalLinks

/// The growth of a match's work with the pattern and the text, counted in the matcher's own steps.
@Suite struct PatternWorkTests {
    struct Case: CustomTestStringConvertible {
        /// The piece that the pattern repeats.
        var piece: String
        var end = "b"
        var variables: [String: [String]] = [:]
        var testDescription: String { "\(piece)…\(end)" }

        /// Returns the number of steps that a pattern of `count` pieces needs to reject a text of `length` letters.
        func steps(_ count: Int, on length: Int) throws -> Int {
            let definitions = variables.map { name, values in
                "\"\(name)\":[" + values.map { "\"\($0)\"" }.joined(separator: ",") + "]"
            }
            let variableMember = "\"substitutionVariables\":{\(definitions.joined(separator: ","))},"
            let file = try AssociationFile(json: Clowntown.json([], otherMembers: variableMember))
            var compiler = PatternCompiler(PatternVariables(file, language: nil, region: nil))
            let text = String(repeating: piece, count: count) + end
            let compiled = compiler.compile(text, foldingCase: false)
            let pattern = try #require(compiled)
            var budget = WorkBudget(steps: .max)
            let letters = [UInt8](repeating: UInt8(ascii: "a"), count: length)
            let isMatch = pattern.matches(letters.span, &budget)
            #expect(!isMatch)
            return Int.max - budget.remainingSteps
        }
    }

    static let cases = [
        Case(piece: "*a"),
        Case(piece: "*a*"),
        Case(piece: "*?"),
        Case(piece: "*aaaaaaaa"),
        Case(piece: "a", end: "*b"),
        Case(piece: "*a?a*"),
        Case(piece: "*$(lower)"),
        Case(piece: "*ab"),
        Case(piece: "$(word)", variables: ["word": ["a", "aa", "aaa"]]),
        Case(piece: "*$(word)*", variables: ["word": ["a", "aa", ""]]),
        Case(piece: "$(wild)", variables: ["wild": ["*"]]),
        Case(piece: "$(wild)", variables: ["wild": ["*a", "a*", "?"]]),
        Case(piece: "$(wild)$(word)", variables: ["wild": ["*a*a", "*a*a*a"], "word": ["a", "", "aaaa"]]),
        Case(piece: "$(lang)*"),
    ]

    @Test(arguments: cases)
    func workGrowsLinearlyWithTheText(_ example: Case) throws {
        for count in [4, 8, 16] {
            let (once, twice) = try (example.steps(count, on: 400), example.steps(count, on: 800))
            #expect(twice <= once * 5 / 2 + 200, "\(count) pieces")
        }
    }

    /// The work is at most a small constant times the pieces of the pattern times the letters of the text.
    @Test(arguments: cases, [4, 16, 64])
    func workIsBoundedByTheProductOfPatternAndText(_ example: Case, _ count: Int) throws {
        for length in [50, 200, 800] {
            #expect(try example.steps(count, on: length) <= 40 * count * length, "\(length) letters")
        }
    }

    /// Each value can end at every letter.
    ///
    /// All of these ends cost work, and more values cost more.
    @Test func everyValueWithWildcardsCostsWorkForEveryLetter() throws {
        let count = 200
        let example = Case(piece: "$(wild)", variables: ["wild": Array(repeating: "*", count: count)])
        let (short, long) = try (example.steps(1, on: 500), example.steps(1, on: 1_000))
        #expect(short >= count * 500 / 16)
        #expect(long >= short * 3 / 2)
    }

    @Test func exhaustedBudgetStaysExhausted() {
        var budget = WorkBudget(steps: 3)
        let wasEnough = [2, 1, 1, 0].map { budget.spend($0) }
        #expect(wasEnough == [true, true, false, false])
        #expect(budget.isExhausted)
    }

    @Test func exactlySpentBudgetIsNotExhausted() {
        var budget = WorkBudget(steps: 3)
        let wasEnough = budget.spend(3)
        #expect(wasEnough)
        #expect(!budget.isExhausted)
    }
}
