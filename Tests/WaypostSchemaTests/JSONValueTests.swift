import Testing
import WaypostSchema

/// The parts of a document that Waypost passes through.
@Suite struct JSONValueTests {
    @Test(
        arguments: [
            ("null", .null),
            ("true", .bool(true)),
            ("false", .bool(false)),
            ("0", .integer(0)),
            ("1", .integer(1)),
            ("9007199254740993", .integer(9_007_199_254_740_993)),
            ("-9223372036854775808", .integer(.min)),
            ("18446744073709551615", .unsigned(.max)),
            ("4.5", .double(4.5)),
            (#""""#, .string("")),
            (#""17""#, .string("17")),
            (#""božena 🤡\n""#, .string("božena 🤡\n")),
            ("[]", .array([])),
            ("[null,[1]]", .array([.null, .array([.integer(1)])])),
            ("{}", .object([:])),
            (#"{"a":{"b":null}}"#, .object(["a": .object(["b": .null])])),
        ] as [(String, JSONValue)]
    )
    func valueSurvivesCoding(_ text: String, _ value: JSONValue) throws {
        #expect(try JSONValue(json: text) == value)
        #expect(try value.json() == text)
    }

    @Test(
        arguments: [
            ("1.0", .integer(1)),
            ("1e2", .integer(100)),
            ("-0", .integer(0)),
            ("9223372036854775807", .integer(.max)),
            ("9223372036854775808", .unsigned(9_223_372_036_854_775_808)),
            ("100000000000000000000", .double(1e20)),
        ] as [(String, JSONValue)]
    )
    func numberIsDecodedByItsValue(_ text: String, _ value: JSONValue) throws {
        #expect(try JSONValue(json: text) == value)
    }

    @Test func memberOfAnObjectIsFound() {
        let value = JSONValue.object(["aps": .object(["alert": .string("Crusty")])])
        #expect(value["aps"]?["alert"]?.string == "Crusty")
        #expect(value["aps"]?["badge"] == nil)
    }

    @Test(arguments: [.null, .bool(true), .integer(1), .array([.string("aps")]), .string("aps")] as [JSONValue])
    func otherValueHasNoMembers(_ value: JSONValue) {
        #expect(value["aps"] == nil)
    }

    @Test(arguments: [.null, .integer(1), .array([]), .object([:])] as [JSONValue])
    func otherValueHasNoString(_ value: JSONValue) {
        #expect(value.string == nil)
    }
}
