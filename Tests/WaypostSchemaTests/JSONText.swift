import Foundation
import JSONScanning
import WaypostSchema

extension Decodable {
    /// Decodes the value from JSON.
    init(json text: String) throws {
        self = try DocumentDecoder.decode(Self.self, from: text.utf8)
    }
}

extension Encodable {
    /// Returns the value as JSON in a single form, so that equal values have equal texts.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

extension JSONValue {
    /// The members of an object; empty for any other value.
    var members: [String: JSONValue] {
        guard case .object(let members) = self else { return [:] }
        return members
    }

    /// The elements of an array; empty for any other value.
    var elements: [JSONValue] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// The strings among the elements of an array; empty for any other value.
    var strings: [String] {
        elements.compactMap(\.string)
    }

    /// Returns the object with `member` under `name`, or without `name` if `member` is `nil`.
    func setting(_ name: String, to member: JSONValue?) -> JSONValue {
        var members = members
        members[name] = member
        return .object(members)
    }
}
