import Testing
import WaypostSchema
import WaypostTestSupport

/// The objects that an app receives about an attribution view: the keys are listed, because a test cannot distinguish a
/// string from a name.
@Suite struct AttributionViewTests {
    struct Case: CustomTestStringConvertible {
        var definition: String
        var keys: [String]

        var testDescription: String { definition }
    }

    private static let cases = [
        Case(
            definition: "AttributionView",
            keys: [
                "app", "findings", "findings.code", "findings.field", "findings.message", "menu", "menu.id",
                "menu.title", "size", "size.height", "size.width", "view",
            ]
        ),
        Case(definition: "PresentationNotice", keys: ["app", "state", "view"]),
        Case(definition: "ChosenMenuItem", keys: ["app", "item", "view"]),
    ]

    @Test(.proves("B64", "B65"), arguments: cases)
    func objectsForAppsHaveNoKeyForAPerson(_ example: Case) throws {
        #expect(try Self.keys(of: example.definition) == example.keys)
    }

    @Test func searchFindsKeysOfAPerson() throws {
        let report = try Self.keys(of: "AttributionReport")
        #expect(report.contains("label"))
        let link = try Self.keys(of: "SharedLink")
        #expect(link.contains("conversations.sharers.person.contact.givenName"))
        let device = try Self.keys(of: "DeviceDescription")
        #expect(device.contains("associatedDomainsDevelopment.*"))
    }

    /// Returns the paths of all keys that an object of the definition may have, in order.
    private static func keys(of definition: String) throws -> [String] {
        let schema = try Schema.current()
        return try keys(in: #require(schema.definitions[definition]), at: [], of: schema).sorted()
    }

    private static func keys(in part: JSONValue, at path: [String], of schema: Schema) -> Set<String> {
        var found: Set<String> = []
        for element in part.elements { found.formUnion(keys(in: element, at: path, of: schema)) }
        for (word, value) in part.members {
            switch word {
            case "properties":
                for (key, place) in value.members {
                    found.insert((path + [key]).joined(separator: "."))
                    found.formUnion(keys(in: place, at: path + [key], of: schema))
                }
            case "additionalProperties", "patternProperties": found.insert((path + ["*"]).joined(separator: "."))
            case "$ref":
                let name = value.string?.split(separator: "/").last.map(String.init) ?? ""
                found.formUnion(keys(in: schema.definitions[name] ?? .null, at: path, of: schema))
            default: found.formUnion(keys(in: value, at: path, of: schema))
            }
        }
        return found
    }
}
