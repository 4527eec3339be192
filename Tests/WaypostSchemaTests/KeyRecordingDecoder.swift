import WaypostSchema

/// The requested keys, by the path of their object.
final class KeyRecord {
    private(set) var keys: [[String]: Set<String>] = [:]

    func add(_ key: any CodingKey, at path: [any CodingKey]) {
        keys[path.map(\.stringValue), default: []].insert(key.stringValue)
    }
}

/// A decoder of a tree that records the requested keys, whether or not the tree has them.
struct KeyRecordingDecoder: Decoder {
    let tree: JSONValue
    let record: KeyRecord
    var codingPath: [any CodingKey] = []

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = tree else { throw mismatch([String: Any].self) }
        return KeyedDecodingContainer(RecordingKeyedContainer(decoder: self, members: members))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = tree else { throw mismatch([Any].self) }
        return RecordingUnkeyedContainer(decoder: self, elements: elements)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        RecordingSingleValueContainer(decoder: self)
    }
}

extension KeyRecordingDecoder {
    /// Returns the decoder of `tree`, which is at `key`.
    fileprivate func nested(_ tree: JSONValue, at key: any CodingKey) -> Self {
        Self(tree: tree, record: record, codingPath: codingPath + [key])
    }

    /// Returns a scalar from the tree, or decodes any other value from it.
    fileprivate func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        switch type {
        case is Bool.Type, is Int.Type, is UInt.Type, is String.Type:
            guard let value = scalar as? Value else { throw mismatch(type) }
            return value
        case is Double.Type:
            guard let value = number as? Value else { throw mismatch(type) }
            return value
        default: return try type.init(from: self)
        }
    }

    private var scalar: Any? {
        switch tree {
        case .bool(let value): value
        case .integer(let value): value
        case .unsigned(let value): value
        case .double(let value): value
        case .string(let value): value
        case .null, .array, .object: nil
        }
    }

    /// The number of the tree, which does not distinguish whole numbers from fractions.
    private var number: Double? {
        switch tree {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    private func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, DecodingError.Context(codingPath: codingPath, debugDescription: "\(tree)"))
    }
}

private struct RecordingKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: KeyRecordingDecoder
    let members: [String: JSONValue]

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] { members.keys.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool {
        decoder.record.add(key, at: codingPath)
        return members[key.stringValue] != nil
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        try nested(key).tree == .null
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try nested(key).value(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try nested(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        decoder
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        try nested(key)
    }

    private func nested(_ key: Key) throws -> KeyRecordingDecoder {
        guard contains(key), let member = members[key.stringValue] else {
            let context = DecodingError.Context(codingPath: codingPath, debugDescription: "\(decoder.tree)")
            throw DecodingError.keyNotFound(key, context)
        }
        return decoder.nested(member, at: key)
    }
}

private struct RecordingUnkeyedContainer: UnkeyedDecodingContainer {
    struct Index: CodingKey {
        let number: Int

        var intValue: Int? { number }
        var stringValue: String { "\(number)" }

        init(intValue: Int) {
            number = intValue
        }

        init?(stringValue: String) {
            guard let number = Int(stringValue) else { return nil }
            self.number = number
        }
    }

    let decoder: KeyRecordingDecoder
    let elements: [JSONValue]
    private(set) var currentIndex = 0

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, elements[currentIndex] == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next().value(type)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
        try next()
    }

    private mutating func next() throws -> KeyRecordingDecoder {
        guard !isAtEnd else {
            let context = DecodingError.Context(codingPath: codingPath, debugDescription: "there is no next element")
            throw DecodingError.valueNotFound(Any.self, context)
        }
        defer { currentIndex += 1 }
        return decoder.nested(elements[currentIndex], at: Index(intValue: currentIndex))
    }
}

private struct RecordingSingleValueContainer: SingleValueDecodingContainer {
    let decoder: KeyRecordingDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool {
        decoder.tree == .null
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decoder.value(type)
    }
}
