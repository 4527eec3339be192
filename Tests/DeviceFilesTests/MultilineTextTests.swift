import DeviceFiles
import SchemaFiles
import Testing
import WaypostSchema

/// Predicates that span several lines.
@Suite struct MultilineTextTests {
    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var lines: String
        var predicate: String

        init(_ style: String, _ lines: String, _ predicate: String) {
            testDescription = style
            self.lines = lines
            self.predicate = predicate
        }
    }

    private static let one = #"SELF == "clowns/crusty""#
    private static let other = #"SELF == "clowns/dusty""#

    private func predicate(_ lines: String) throws -> String? {
        let scene = try DeviceText.scene(
            "activationConditions:\n  prefersToActivateForTargetContentIdentifierPredicate: \(lines)"
        )
        return scene?.activationConditions.prefersToActivateForTargetContentIdentifierPredicate
    }

    @Test(arguments: [
        Case("folded", ">-\n    \(one)\n    OR \(other)", "\(one) OR \(other)"),
        Case("folded, deeper", ">-\n          \(one)\n          OR \(other)\n\n", "\(one) OR \(other)"),
        Case("folded, ends with a line break", ">\n    \(one)\n    OR \(other)", "\(one) OR \(other)\n"),
        Case("folded, empty line", ">-\n    \(one)\n\n    OR \(other)", "\(one)\nOR \(other)"),
        Case("folded, indented line", ">-\n    \(one)\n      OR \(other)", "\(one)\n  OR \(other)"),
        Case("folded, number sign", ">-\n    \(one)\n    # OR \(other)", "\(one) # OR \(other)"),
        Case("literal", "|-\n    \(one)\n    OR \(other)", "\(one)\nOR \(other)"),
        Case("plain", "\(one)\n    OR \(other)", "\(one) OR \(other)"),
        Case("plain, number sign", #"SELF == "clowns#crusty" # said"#, #"SELF == "clowns#crusty""#),
        Case("single quotes", "'SELF == \"it''s\"\n    OR \(other)'", #"SELF == "it's" OR \#(other)"#),
        Case("double quotes", #""SELF == \"a\""# + "\n    " + #"OR SELF == \"b\"""#, #"SELF == "a" OR SELF == "b""#),
    ])
    func linesBecomeOnePredicate(_ example: Case) throws {
        #expect(try predicate(example.lines) == example.predicate)
    }

    @Test func keyAfterTheLinesIsReadAndChecked() throws {
        let lines = "title: >-\n  a\n  b\nstate: disconnected"
        #expect(try DeviceText.scene(lines)?.state == .disconnected)
        let problems = DeviceText.problems(in: DeviceDescription.yaml(scene: lines + "\nstat: x"))
        #expect(problems == ["10:9: unknown key 'stat'; did you mean 'state'?"])
    }
}
