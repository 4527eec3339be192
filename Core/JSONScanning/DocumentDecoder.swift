/// Decodes values from JSON; it parses the JSON once and visits each value once.
///
/// Foundation's decoder has no way to ask for the kind of a value. A type that may be any JSON would have to try one
/// kind after another, and each failure costs time that grows with the depth.
public enum DocumentDecoder {
    /// Decodes a value from a JSON text in UTF-8.
    ///
    /// If a name is repeated in an object, its first member counts, as for Foundation's decoder.
    ///
    /// - Throws: `JSONError` if the bytes are not JSON, or nested deeper than `JSONCursor.maximumDepth`; otherwise the
    ///   error of the value's initializer, which is a `DecodingError` for the types of the schema.
    /// - Complexity: O(length).
    public static func decode<Value: Decodable>(_ type: Value.Type, from json: some Sequence<UInt8>) throws -> Value {
        try decode(type, from: try JSONDocument(Array(json)).root)
    }

    /// Decodes a value from JSON that may contain a payload, such as a journal entry or a stream event.
    ///
    /// The JSON may be nested 16 levels deeper than `JSONCursor.maximumDepth`, the limit for a payload alone.
    ///
    /// - Throws: as `decode(_:from:)`.
    /// - Complexity: O(length).
    public static func decode<Value: Decodable>(
        _ type: Value.Type,
        fromDeepJSON json: some Sequence<UInt8>
    ) throws -> Value {
        try decode(type, from: try deepDocument(json).root)
    }

    /// Parses JSON that may contain a payload, see `decode(_:fromDeepJSON:)`.
    ///
    /// - Throws: `JSONError`.
    public static func deepDocument(_ json: some Sequence<UInt8>) throws(JSONError) -> JSONDocument {
        let maximumDepth = JSONCursor.maximumDepth + maximumEnvelopeDepth
        return try JSONDocument(Array(json), maximumDepth: maximumDepth)
    }

    /// The maximum number of levels that Waypost adds around a payload.
    private static let maximumEnvelopeDepth = 16

    /// Decodes a value from a part of a JSON text.
    ///
    /// - Throws: the error of the value's initializer, which is a `DecodingError` for the types of the schema.
    public static func decode<Value: Decodable>(_ type: Value.Type, from node: JSONNode) throws -> Value {
        try JSONNodeDecoder(node: node, path: .root, steps: DecodingStepCounter()).decode(type)
    }

    /// Decodes a value from a part of a JSON text, and finds the keys that its type does not read.
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - node: the part of the text.
    /// - Returns: the value or the error of its initializer, and the unknown keys. After an error, they are those of
    ///   the objects that were read until then.
    /// - Complexity: O(length · depth).
    public static func decodeFindingUnknownKeys<Value: Decodable>(
        _ type: Value.Type,
        from node: JSONNode
    ) -> (result: Result<Value, any Error>, unknownKeys: [UnknownKey]) {
        let steps = DecodingStepCounter(keyUse: KeyUse())
        let result = Result { try JSONNodeDecoder(node: node, path: .root, steps: steps).decode(type) }
        return (result, steps.keyUse?.unknownKeys ?? [])
    }

    /// Returns the number of steps that decoding a value takes after its text is parsed, to test that it is linear.
    package static func stepCount<Value: Decodable>(toDecode type: Value.Type, from node: JSONNode) throws -> Int {
        let steps = DecodingStepCounter()
        _ = try JSONNodeDecoder(node: node, path: .root, steps: steps).decode(type)
        return steps.count
    }
}

/// The counter of the steps of one decoding: visited values and members, and collected keys of paths.
final class DecodingStepCounter {
    fileprivate(set) var count = 0

    /// The keys that types ask for; `nil` if nobody wants to know.
    fileprivate let keyUse: KeyUse?

    fileprivate init(keyUse: KeyUse? = nil) {
        self.keyUse = keyUse
    }
}

/// The decoder of one value.
public struct JSONNodeDecoder: Decoder {
    /// The value.
    public let node: JSONNode

    fileprivate let path: DocumentPath
    fileprivate let steps: DecodingStepCounter

    /// The path of the value, for errors.
    public var codingPath: [any CodingKey] {
        let keys = path.keys
        steps.count += keys.count
        return keys
    }

    /// Adds the steps for values that are read from `node` without this decoder.
    package func countSteps(_ count: Int) {
        steps.count += count
    }

    /// Nothing: this decoder has no options.
    public var userInfo: [CodingUserInfoKey: Any] {
        [:]
    }

    /// Returns the members of an object.
    public func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = node.value else { throw mismatchError([String: Any].self) }
        return KeyedDecodingContainer(MemberContainer<Key>(members, of: self))
    }

    /// Returns the elements of an array.
    public func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = node.value else { throw mismatchError([Any].self) }
        return ElementContainer(elements, of: self)
    }

    /// Returns the value itself.
    public func singleValueContainer() throws -> any SingleValueDecodingContainer {
        SingleNodeContainer(decoder: self)
    }

    fileprivate func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        steps.count += 1
        // Types of the standard library would ask this decoder for a container, which asks here again.
        guard let primitive = type as? any JSONPrimitive.Type else { return try Value(from: self) }
        guard let value = primitive.init(of: node.value), let result = value as? Value else {
            throw mismatchError(type)
        }
        return result
    }

    /// Returns the error for a value of another kind, or of a number that does not fit.
    private func mismatchError(_ type: Any.Type) -> DecodingError {
        if case .null = node.value {
            return .valueNotFound(type, .init(codingPath: codingPath, debugDescription: "found null"))
        }
        return .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "found a value of another kind"))
    }
}

/// The keys from the top of a document to a value.
///
/// Only an error needs them as an array; building it for each value would cost time that grows with the depth.
private indirect enum DocumentPath {
    case root
    case key(any CodingKey, in: DocumentPath)

    var keys: [any CodingKey] {
        var keys: [any CodingKey] = []
        var path = self
        while case .key(let key, let parent) = path {
            keys.append(key)
            path = parent
        }
        return keys.reversed()
    }

    /// The keys, such as `apps[0].scenes`.
    var text: String {
        keys.reduce(into: "") { text, key in
            text += key.intValue.map { "[\($0)]" } ?? (text.isEmpty ? "" : ".") + key.stringValue
        }
    }
}

/// The key of an array's element.
private struct ElementKey: CodingKey {
    let index: Int

    var intValue: Int? { index }
    var stringValue: String { "\(index)" }

    init(index: Int) {
        self.index = index
    }

    init?(intValue: Int) {
        index = intValue
    }

    init?(stringValue: String) {
        nil
    }
}

// MARK: Containers

private struct MemberContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let members: [String: JSONNode]
    private let object: JSONNodeDecoder
    private let use: KeyUse.Object?

    init(_ members: [JSONMember], of object: JSONNodeDecoder) {
        use = object.steps.keyUse?.object(at: object.path.text, with: members)
        self.members = Dictionary(members.lazy.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        self.object = object
        object.countSteps(members.count)
    }

    var codingPath: [any CodingKey] {
        object.codingPath
    }

    var allKeys: [Key] {
        let keys = members.keys.compactMap(Key.init(stringValue:))
        use?.readKeys.formUnion(keys.lazy.map(\.stringValue))
        return keys
    }

    func contains(_ key: Key) -> Bool {
        use?.readKeys.insert(key.stringValue)
        return members[key.stringValue] != nil
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        if case .null = try decoder(of: key).node.value { true } else { false }
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder(of: key).decode(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(of: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(of: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        guard let key = Key(stringValue: "super") else {
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "there is no 'super'"))
        }
        return try decoder(of: key)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        try decoder(of: key)
    }

    private func decoder(of key: Key) throws -> JSONNodeDecoder {
        use?.readKeys.insert(key.stringValue)
        guard let node = members[key.stringValue] else {
            throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "there is no member"))
        }
        return JSONNodeDecoder(node: node, path: .key(key, in: object.path), steps: object.steps)
    }
}

private struct ElementContainer: UnkeyedDecodingContainer {
    private let elements: [JSONNode]
    private let array: JSONNodeDecoder
    private(set) var currentIndex = 0

    init(_ elements: [JSONNode], of array: JSONNodeDecoder) {
        self.elements = elements
        self.array = array
    }

    var codingPath: [any CodingKey] {
        array.codingPath
    }

    var count: Int? {
        elements.count
    }

    var isAtEnd: Bool {
        currentIndex == elements.count
    }

    mutating func decodeNil() throws -> Bool {
        guard case .null = try currentDecoder(for: Never.self).node.value else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try currentDecoder(for: type).decode(type)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let container = try currentDecoder(for: [String: Any].self).container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try currentDecoder(for: [Any].self).unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try currentDecoder(for: Any.self)
        currentIndex += 1
        return decoder
    }

    private func currentDecoder(for type: Any.Type) throws -> JSONNodeDecoder {
        let path = DocumentPath.key(ElementKey(index: currentIndex), in: array.path)
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(type, .init(codingPath: path.keys, debugDescription: "the list ends"))
        }
        return JSONNodeDecoder(node: elements[currentIndex], path: path, steps: array.steps)
    }
}

private struct SingleNodeContainer: SingleValueDecodingContainer {
    let decoder: JSONNodeDecoder

    var codingPath: [any CodingKey] {
        decoder.codingPath
    }

    func decodeNil() -> Bool {
        if case .null = decoder.node.value { true } else { false }
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decoder.decode(type)
    }
}

// MARK: Primitives

/// A type of the standard library that is one JSON value.
private protocol JSONPrimitive {
    /// Creates the value; `nil` if the JSON value is of another kind, or a number that does not fit.
    init?(of value: JSONNode.Value)
}

extension Bool: JSONPrimitive {
    init?(of value: JSONNode.Value) {
        guard case .bool(let bool) = value else { return nil }
        self = bool
    }
}

extension String: JSONPrimitive {
    init?(of value: JSONNode.Value) {
        guard case .string(let string) = value else { return nil }
        self = string
    }
}

extension BinaryFloatingPoint where Self: LosslessStringConvertible {
    fileprivate init?(of value: JSONNode.Value) {
        guard case .number(let text) = value, let number = Self(text), number.isFinite else { return nil }
        self = number
    }
}

extension FixedWidthInteger {
    /// Creates the value of a number, which may be written with a fraction or an exponent, such as `1.0` or `1e2`.
    ///
    /// A number with a fraction or an exponent is at most 2^53, because a double cannot represent each greater integer.
    fileprivate init?(of value: JSONNode.Value) {
        guard case .number(let text) = value else { return nil }
        if let integer = Self(text) {
            self = integer
        } else {
            guard let number = Double(text), abs(number) <= 0x1p53, let integer = Self(exactly: number) else {
                return nil
            }
            self = integer
        }
    }
}

extension Double: JSONPrimitive {}
extension Float: JSONPrimitive {}
extension Int: JSONPrimitive {}
extension Int8: JSONPrimitive {}
extension Int16: JSONPrimitive {}
extension Int32: JSONPrimitive {}
extension Int64: JSONPrimitive {}
extension UInt: JSONPrimitive {}
extension UInt8: JSONPrimitive {}
extension UInt16: JSONPrimitive {}
extension UInt32: JSONPrimitive {}
extension UInt64: JSONPrimitive {}
