internal import JSONScanning

extension ScannedItem {
    /// Returns the item that fills `range` of `bytes`; white space around it is allowed.
    ///
    /// Foundation's `JSONDecoder` decodes every item that this accepts as the schema's `BatchItem`, with the same
    /// values.
    ///
    /// - Throws: `ScannedItemError`; a syntax error takes precedence over an error in a field.
    /// - Complexity: O(length), one pass.
    public static func scan(_ bytes: [UInt8], in range: Range<Int>) throws(ScannedItemError) -> Self {
        var cursor = JSONCursor(bytes, in: range)
        cursor.skipWhitespace()
        let scan = scanValue(&cursor)
        cursor.skipWhitespace()
        if scan.isJSON && cursor.position < cursor.end {
            throw ScannedItemError(cursor.error(expected: "the end of the item"))
        }
        return try scan.result.get()
    }

    /// Scans one value, which should be an item; if `isJSON`, the cursor moves past it.
    static func scanValue(_ cursor: inout JSONCursor) -> (result: Result<Self, ScannedItemError>, isJSON: Bool) {
        do throws(JSONError) {
            return (try scanJSON(&cursor), true)
        } catch {
            return (.failure(ScannedItemError(error)), false)
        }
    }

    private static func scanJSON(_ cursor: inout JSONCursor) throws(JSONError) -> Result<Self, ScannedItemError> {
        let start = cursor.position
        guard cursor.current == UInt8(ascii: "{") else {
            try cursor.skipValue(depth: 0)
            return .failure(ScannedItemError(problem: .notAnObject, offset: start))
        }
        var partialItem = PartialItem(start: start)
        guard try cursor.enterObject(depth: 0) else { return partialItem.result }
        repeat { try partialItem.readMember(&cursor) } while try cursor.advanceToNextMember()
        return partialItem.result
    }
}

extension ScannedItemError {
    init(_ error: JSONError) {
        self.init(problem: .invalidJSON(error), offset: error.offset)
    }
}

/// The fields that a scan of an item has read so far, and the first error in them.
private struct PartialItem {
    private let start: Int
    private var seenFields: UInt8 = 0
    private var token: ScannedString?
    private var topic: ScannedString?
    private var pushType: ScannedString?
    private var priority: Int?
    private var expiration: Int?
    private var collapseID: ScannedString?
    private var id: ScannedString?
    private var payload: Range<Int>?
    private var error: ScannedItemError?

    init(start: Int) {
        self.start = start
    }

    /// Reads a member: a field of the envelope, or a member to ignore.
    mutating func readMember(_ cursor: inout JSONCursor) throws(JSONError) {
        let nameStart = cursor.position
        let name = try cursor.readName()
        guard let field = ScannedItem.Field(name, in: cursor.bytes) else {
            return try cursor.skipValue(depth: 1)
        }
        if seenFields & field.bit != 0 {
            report(.repeated(field), at: nameStart)
        }
        seenFields |= field.bit
        if cursor.current == UInt8(ascii: "n") {
            // `null` means absent.
            return try cursor.skipWord("null")
        }
        try readValue(of: field, &cursor)
    }

    private mutating func readValue(of field: ScannedItem.Field, _ cursor: inout JSONCursor) throws(JSONError) {
        switch field {
        case .token: token = try readString(field, &cursor)
        case .topic: topic = try readString(field, &cursor)
        case .pushType: pushType = try readString(field, &cursor)
        case .priority: priority = try readInteger(field, &cursor)
        case .expiration: expiration = try readInteger(field, &cursor)
        case .collapseID: collapseID = try readString(field, &cursor)
        case .id: id = try readString(field, &cursor)
        case .payload: payload = try readPayload(&cursor)
        }
    }

    private mutating func readString(
        _ field: ScannedItem.Field,
        _ cursor: inout JSONCursor
    ) throws(JSONError) -> ScannedString? {
        guard cursor.current == UInt8(ascii: "\"") else {
            try reportWrongType(field, expected: "a string", &cursor)
            return nil
        }
        return try cursor.readString()
    }

    private mutating func readInteger(
        _ field: ScannedItem.Field,
        _ cursor: inout JSONCursor
    ) throws(JSONError) -> Int? {
        let expected = "a whole number"
        guard cursor.isAtNumber else {
            try reportWrongType(field, expected: expected, &cursor)
            return nil
        }
        let number = try cursor.readNumber()
        let text = String(decoding: cursor.bytes[number.range], as: UTF8.self)
        guard number.isInteger, let value = Int(text) else {
            report(.wrongType(field, expected: expected), at: number.range.lowerBound)
            return nil
        }
        return value
    }

    private mutating func readPayload(_ cursor: inout JSONCursor) throws(JSONError) -> Range<Int>? {
        guard cursor.current == UInt8(ascii: "{") else {
            try reportWrongType(.payload, expected: "an object", &cursor)
            return nil
        }
        let start = cursor.position
        try cursor.skipValue(depth: 1)
        return start..<cursor.position
    }

    private mutating func reportWrongType(
        _ field: ScannedItem.Field,
        expected: String,
        _ cursor: inout JSONCursor
    ) throws(JSONError) {
        report(.wrongType(field, expected: expected), at: cursor.position)
        try cursor.skipValue(depth: 1)
    }

    private mutating func report(_ problem: ScannedItemError.Problem, at offset: Int) {
        if error == nil { error = ScannedItemError(problem: problem, offset: offset) }
    }

    /// The item, or the first error in it.
    var result: Result<ScannedItem, ScannedItemError> {
        if let error { return .failure(error) }
        guard let token else { return missingFieldError(.token) }
        guard let topic else { return missingFieldError(.topic) }
        guard let payload else { return missingFieldError(.payload) }
        let item = ScannedItem(
            token: token,
            topic: topic,
            pushType: pushType,
            priority: priority,
            expiration: expiration,
            collapseID: collapseID,
            id: id,
            payload: payload
        )
        return .success(item)
    }

    private func missingFieldError(_ field: ScannedItem.Field) -> Result<ScannedItem, ScannedItemError> {
        .failure(ScannedItemError(problem: .missing(field), offset: start))
    }
}

extension ScannedItem.Field {
    /// Creates the field with this name, or returns `nil` if there is no such field.
    ///
    /// The length and one letter determine a single candidate, so only one comparison is needed.
    fileprivate init?(_ name: ScannedString, in bytes: [UInt8]) {
        guard !name.hasEscapes else {
            self.init(rawValue: name.string(in: bytes))
            return
        }
        let nameBytes = bytes[name.range]
        let candidate: Self? =
            switch (nameBytes.count, nameBytes.dropFirst().first) {
            case (2, _): .id
            case (5, _): nameBytes.dropFirst(2).first == UInt8(ascii: "k") ? .token : .topic
            case (7, _): .payload
            case (8, UInt8(ascii: "u")): .pushType
            case (8, _): .priority
            case (10, UInt8(ascii: "x")): .expiration
            case (10, _): .collapseID
            default: nil
            }
        guard let candidate, String(decoding: nameBytes, as: UTF8.self) == candidate.rawValue else { return nil }
        self = candidate
    }

    /// The field as one bit of a set.
    fileprivate var bit: UInt8 {
        switch self {
        case .token: 1
        case .topic: 2
        case .pushType: 4
        case .priority: 8
        case .expiration: 16
        case .collapseID: 32
        case .id: 64
        case .payload: 128
        }
    }
}
