import Foundation
import WaypostSchema

extension Decodable {
    /// Reads the value from JSON.
    init(json text: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
    }
}

extension Encodable {
    /// Returns the value as JSON, written in one way only, so that equal values have equal texts.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

extension JSONValue {
    /// The members of an object; none for anything else.
    var members: [String: JSONValue] {
        guard case .object(let members) = self else { return [:] }
        return members
    }

    /// The elements of an array; none for anything else.
    var elements: [JSONValue] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// The strings among the elements of an array; none for anything else.
    var strings: [String] {
        elements.compactMap(\.string)
    }

    /// The same object with `member` under `name`; without `name` where there is no `member`.
    func setting(_ name: String, to member: JSONValue?) -> JSONValue {
        var members = members
        members[name] = member
        return .object(members)
    }
}
