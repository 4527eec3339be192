/// A JSON text as a tree of values with their offsets.
///
/// An object keeps the order of its members, and all members with the same name.
public struct JSONDocument: Sendable {
    /// The top-level value.
    public let root: JSONNode

    private let lines: LineTable

    /// Parses a JSON text; arrays and objects may be nested `maximumDepth` deep.
    ///
    /// - Throws: `JSONError` with the offset at which the bytes stop being JSON by RFC 8259.
    /// - Complexity: O(length).
    public init(_ bytes: [UInt8], maximumDepth: Int = JSONCursor.maximumDepth) throws(JSONError) {
        var cursor = JSONCursor(bytes, in: bytes.indices, maximumDepth: maximumDepth)
        cursor.skipWhitespace()
        root = try JSONNode(&cursor, depth: 0)
        cursor.skipWhitespace()
        guard cursor.current == nil else { throw cursor.error(expected: "the end of the document") }
        lines = LineTable(bytes)
    }

    /// Returns the line and the column of the byte at `offset`, both from 1; columns count bytes.
    public func location(of offset: Int) -> (line: Int, column: Int) {
        lines.location(of: offset)
    }
}

/// A value of a JSON document, with its offset.
public struct JSONNode: Sendable {
    /// A value without its offset.
    public enum Value: Sendable {
        /// The literal `null`.
        case null

        /// `true` or `false`.
        case bool(Bool)

        /// A number, spelled as in the text.
        case number(String)

        /// A string.
        case string(String)

        /// An array.
        case array([JSONNode])

        /// An object.
        case object([JSONMember])
    }

    /// The value.
    public let value: Value

    /// The offset of the byte at which the value starts.
    public let offset: Int

    /// Creates the value from its parts.
    public init(_ value: Value, offset: Int = 0) {
        self.value = value
        self.offset = offset
    }
}

/// A member of a JSON object.
public struct JSONMember: Sendable {
    /// The member's name.
    public let name: String

    /// The offset of the quotation mark at which the name starts.
    public let offset: Int

    /// The member's value.
    public let value: JSONNode

    /// Creates the member from its parts.
    public init(name: String, offset: Int = 0, value: JSONNode) {
        self.name = name
        self.offset = offset
        self.value = value
    }
}

extension JSONNode {
    fileprivate init(_ cursor: inout JSONCursor, depth: Int) throws(JSONError) {
        offset = cursor.position
        switch cursor.current {
        case UInt8(ascii: "{"): value = .object(try Self.members(&cursor, depth: depth))
        case UInt8(ascii: "["): value = .array(try Self.elements(&cursor, depth: depth))
        case UInt8(ascii: "\""): value = .string(try cursor.readString().string(in: cursor.bytes))
        case UInt8(ascii: "t"):
            try cursor.skipWord("true")
            value = .bool(true)
        case UInt8(ascii: "f"):
            try cursor.skipWord("false")
            value = .bool(false)
        case UInt8(ascii: "n"):
            try cursor.skipWord("null")
            value = .null
        case _ where cursor.isAtNumber:
            value = .number(String(decoding: cursor.bytes[try cursor.readNumber().range], as: UTF8.self))
        default: throw cursor.error(expected: "a value")
        }
    }

    private static func members(_ cursor: inout JSONCursor, depth: Int) throws(JSONError) -> [JSONMember] {
        var members: [JSONMember] = []
        guard try cursor.enterObject(depth: depth) else { return members }
        repeat {
            let offset = cursor.position
            let name = try cursor.readName().string(in: cursor.bytes)
            members.append(JSONMember(name: name, offset: offset, value: try JSONNode(&cursor, depth: depth + 1)))
        } while try cursor.advanceToNextMember()
        return members
    }

    private static func elements(_ cursor: inout JSONCursor, depth: Int) throws(JSONError) -> [JSONNode] {
        var elements: [JSONNode] = []
        guard try cursor.enterArray(depth: depth) else { return elements }
        repeat { elements.append(try JSONNode(&cursor, depth: depth + 1)) } while try cursor.advanceToNextElement()
        return elements
    }
}
