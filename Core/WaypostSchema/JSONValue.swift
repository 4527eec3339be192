public import JSONScanning

/// Any JSON value, for the parts of a document that Waypost forwards but does not interpret.
///
/// It does not keep the order of an object's members or the spelling of a number. A payload that must remain unchanged
/// byte for byte is kept as bytes, never as this type.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int)
    case unsigned(UInt)
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue {
    /// Returns the member `name` of an object, or `nil` if there is none or the value is not an object.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// The value of a string, or `nil` for any other value.
    public var string: String? {
        guard case .string(let string) = self else { return nil }
        return string
    }
}

extension JSONValue: Codable {
    /// Parses any JSON value.
    ///
    /// With `DocumentDecoder` this takes one step for each value. With other decoders, which do not tell the kind of a
    /// value, it tries each kind; use them for small documents only.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONNodeDecoder {
            var count = 0
            self.init(decoder.node, counting: &count)
            decoder.countSteps(count)
        } else {
            try self.init(tryingEachKindFrom: decoder)
        }
    }

    private init(tryingEachKindFrom decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(UInt.self) {
            self = .unsigned(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Writes the value as plain JSON.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONValue {
    /// Creates the value of a node; if a name is repeated in an object, its first member counts.
    ///
    /// - Complexity: O(number of values in the node).
    public init(_ node: JSONNode) {
        var count = 0
        self.init(node, counting: &count)
    }

    fileprivate init(_ node: JSONNode, counting count: inout Int) {
        count += 1
        switch node.value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let text): self.init(number: text)
        case .string(let value): self = .string(value)
        case .array(let elements): self = .array(elements.map { Self($0, counting: &count) })
        case .object(let members):
            let members = members.map { ($0.name, Self($0.value, counting: &count)) }
            self = .object(Dictionary(members, uniquingKeysWith: { first, _ in first }))
        }
    }

    /// Creates the value of a number: an integer, however it is written, or else a double.
    private init(number text: String) {
        if let value = Int(text) {
            self = .integer(value)
        } else if let value = UInt(text) {
            self = .unsigned(value)
        } else {
            let value = Double(text) ?? .nan
            // Beyond 2^53 the double may differ from the integer that is written.
            self = abs(value) <= 0x1p53 ? Int(exactly: value).map(Self.integer) ?? .double(value) : .double(value)
        }
    }

    /// The value as a node without offsets, to decode it as another type.
    public var node: JSONNode {
        switch self {
        case .null: JSONNode(.null)
        case .bool(let value): JSONNode(.bool(value))
        case .integer(let value): JSONNode(.number("\(value)"))
        case .unsigned(let value): JSONNode(.number("\(value)"))
        case .double(let value): JSONNode(.number("\(value)"))
        case .string(let value): JSONNode(.string(value))
        case .array(let elements): JSONNode(.array(elements.map(\.node)))
        case .object(let members): JSONNode(.object(members.map { JSONMember(name: $0, value: $1.node) }))
        }
    }
}
