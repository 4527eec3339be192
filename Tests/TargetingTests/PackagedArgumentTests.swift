import PredicateFormat
import Targeting
import Testing
import WaypostSchema
import WaypostTestSupport

/// Arguments of conditions: values that are packaged with the conditions when these are set.
@Suite struct PackagedArgumentTests {
    @Test(
        .proves("T47"),
        arguments: [
            ("SELF == %@", [.string("crusty")], #"SELF == "crusty""#),
            ("SELF == %@", [.string("\"a\" OR SELF == 'b'")], #"SELF == "\"a\" OR SELF == 'b'""#),
            ("SELF IN %@", [.array([.string("a"), .string("b")])], #"SELF IN {"a", "b"}"#),
            ("%K ==[c] %@", [.string("self"), .string("a")], #"SELF ==[c] "a""#),
            ("SELF != %@ AND SELF != %@", [.null, .bool(true)], "SELF != nil AND SELF != 1"),
            ("SELF != %d OR SELF != %f", [.integer(7), .double(0.5)], "SELF != 7 OR SELF != 0.5"),
            ("SELF == %@", [.object(["value": .string("selected")])], #"SELF == "crusty/7""#),
        ] as [(format: String, arguments: [JSONValue], packaged: String)]
    )
    func argumentsArePackaged(_ format: String, arguments: [JSONValue], packaged: String) throws {
        let values: [String: JSONValue] = ["selected": .string("crusty/7")]
        let can = try ActivationConditions(can: format, canArguments: arguments).packaged(with: values)
        #expect(can == ActivationConditions(can: packaged))
        let prefers = try ActivationConditions(prefers: format, prefersArguments: arguments).packaged(with: values)
        #expect(prefers == ActivationConditions(prefers: packaged))
    }

    @Test(
        arguments: [
            ("SELF == %@", [], "found '%@' without an argument for it"),
            ("SELF == '%@'", [.string("a")], "argument 1, a string, has no placeholder"),
            ("SELF == %d", [.string("a")], "'%d' does not accept argument 1, a string"),
            ("SELF == %@", [.object(["value": .string("selekted")])], "argument 1 names the value 'selekted'"),
            ("SELF == %@", [.object(["value": .string("selekted")])], "its 'values' are nested, selected"),
            ("SELF == %@", [.object(["value": .string("nested")])], "argument 1 is an object"),
            ("SELF == %@", [.object(["values": .string("selected")])], "argument 1 is an object"),
            ("SELF MATCHES %@", [.string(".*")], "found MATCHES"),
        ] as [(format: String, arguments: [JSONValue], message: String)]
    )
    func argumentThatCannotBePackagedIsRefused(_ format: String, _ arguments: [JSONValue], _ message: String) throws {
        let values: [String: JSONValue] = [
            "selected": .string("crusty"), "nested": .object(["value": .string("selected")]),
        ]
        let conditions = ActivationConditions(prefers: format, prefersArguments: arguments)
        let error = try #require(throws: ConditionError.self) { try conditions.packaged(with: values) }
        #expect(error.condition == .prefers)
        #expect(error.predicateError.message.contains(message), "\(error)")
    }

    @Test func conditionsWithoutArgumentsStayAsTheyAreWritten() throws {
        let conditions = ActivationConditions(can: "self=='a'", preferring: ["b"])
        #expect(try conditions.packaged() == conditions)
        let compiled = try CompiledConditions(ActivationConditions(can: "SELF == %@", canArguments: [.string("a")]))
        #expect(try compiled.can.evaluate(with: "a"))
    }
}
