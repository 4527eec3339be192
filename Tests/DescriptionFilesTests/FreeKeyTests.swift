import DescriptionFiles
import Testing
import WaypostSchema

/// Types other than devices: if they accept any key, no key is unknown.
@Suite struct FreeKeyTests {
    private struct Menu: Codable, Equatable {
        struct Dish: Codable, Equatable {
            var name: String
        }

        var prices: [String: Int] = [:]
        var tables: [[Dish]] = []
        var notes: JSONValue?
    }

    @Test func dictionaryAcceptsAnyKey() throws {
        let menu = try StrictYAML.decode(Menu.self, from: "prices: {soup: 3, 'no': 4, 5: 6}\ntables: []")
        #expect(menu.prices == ["soup": 3, "no": 4, "5": 6])
    }

    @Test func jsonValueAcceptsAnyKey() throws {
        let text = #"{"prices": {}, "tables": [], "notes": {"a": [1, {"b": 0.5, "c": "null"}], "d.e": {}}}"#
        let menu = try StrictYAML.decode(Menu.self, from: text)
        let notes: JSONValue = .object([
            "a": .array([.integer(1), .object(["b": .double(0.5), "c": .string("null")])]),
            "d.e": .object([:]),
        ])
        #expect(menu.notes == notes)
    }

    @Test func placeInNestedListsIsNamed() {
        let error = StrictYAML.error(in: "prices: {}\ntables: [[], [{name: a}, {name: b, size: 3}]]", as: Menu.self)
        #expect(error == "'tables[1][1].size' is not a known key here")
    }
}
