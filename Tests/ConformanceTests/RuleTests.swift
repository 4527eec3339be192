import Testing

/// The rules of the sentences name existing pages and types.
@Suite struct RuleTests {
    private let rules: [(number: String, reference: RuleReference)]

    init() throws {
        rules = try Conformance.project.get().sentences.map { ($0.number, RuleReference($0.rule)) }
    }

    @Test func everyRuleNamesAPageOrAType() {
        let nowhere = rules.filter { $0.reference.pages.isEmpty && $0.reference.types.isEmpty }.map(\.number)
        #expect(nowhere.isEmpty)
    }

    @Test func pagesThatRulesNameExist() {
        let missing = Set(rules.flatMap(\.reference.pages)).filter { RuleReference.numbers(on: $0) == nil }
        #expect(missing.isEmpty)
    }

    @Test func numbersOfRulesAreInTheTablesOfTheirPages() {
        for (number, reference) in rules where !reference.numbers.isEmpty {
            let known = reference.pages.first.flatMap(RuleReference.numbers) ?? []
            #expect(known.isSuperset(of: reference.numbers), "\(number)")
        }
    }

    @Test func typesThatRulesNameAreDeclared() {
        let missing = Set(rules.flatMap(\.reference.types)).subtracting(RuleReference.declaredTypes)
        #expect(missing.isEmpty)
    }

    @Test(arguments: [
        ("struct A {", "A"), ("public enum B_1: String {", "B_1"), ("package final class C<T> {", "C"),
        ("    public indirect enum D {", "D"), ("actor E: F {", "E"), ("/// a struct F", nil), ("let class = 1", nil),
        ("extension G {", nil),
    ])
    func typeDeclarationIsFoundByItsKeyword(_ line: String, _ name: String?) {
        #expect(RuleReference.types(declaredIn: "\n\(line)\n}\n") == [name].compactMap(\.self))
    }
}
