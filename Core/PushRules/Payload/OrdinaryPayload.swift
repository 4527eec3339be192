internal import JSONScanning
internal import TextBasics
internal import WaypostSchema

/// A quick test for payloads in which nothing is unusual, without making a document of them.
///
/// Most payloads pass it. Those that do not may be usual, too, and are inspected (`PayloadInspection`).
struct OrdinaryPayload {
    private var cursor: JSONCursor
    private let bytes: [UInt8]

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        cursor = JSONCursor(bytes, in: bytes.indices)
    }

    /// Returns whether nothing is unusual in a payload; `false` if that takes an inspection.
    ///
    /// - Complexity: O(length), without allocations.
    static func isOrdinary(_ bytes: [UInt8], _ context: PayloadCheck.Context) -> Bool {
        let contract = PushTypeContract.contract(for: context.pushType, topic: context.topic)
        let isBackground = context.pushType == .background
        guard isBackground || context.pushType == .alert, contract?.pushType == context.pushType,
            !PayloadInspection.isNearlyTooLarge(context)
        else { return false }
        var payload = OrdinaryPayload(bytes)
        return (try? payload.readPayload(isBackground: isBackground)) ?? false
    }

    /// A set of names that has a bit for each hash, so that it may take a new name for one that it has.
    private struct Names {
        private var bits: UInt64 = 0

        /// Adds a name; returns `false` if the object may have had it before.
        mutating func insert(_ name: ArraySlice<UInt8>) -> Bool {
            let hash = name.reduce(UInt64(name.count)) { ($0 &* 31) &+ UInt64($1) }
            let bit = UInt64(1) << (hash % 64)
            defer { bits |= bit }
            return bits & bit == 0
        }
    }

    private mutating func readPayload(isBackground: Bool) throws(JSONError) -> Bool {
        cursor.skipWhitespace()
        guard cursor.current == UInt8(ascii: "{"), try cursor.enterObject(depth: 0) else { return false }
        var (names, hasAps) = (Names(), false)
        repeat {
            guard let name = try readName(), names.insert(bytes[name]) else { return false }
            if equals(name, "aps") {
                hasAps = true
                guard try isBackground ? readBackgroundAps() : readAps() else { return false }
            } else {
                guard !isLikeAKeyOfAps(name) else { return false }
                try cursor.skipValue(depth: 1)
            }
        } while try cursor.advanceToNextMember()
        cursor.skipWhitespace()
        return hasAps && cursor.current == nil
    }

    /// Reads a name without escapes; `nil` for another one.
    private mutating func readName() throws(JSONError) -> Range<Int>? {
        let name = try cursor.readName()
        return name.hasEscapes ? nil : name.range
    }

    private func equals(_ name: Range<Int>, _ key: StaticString) -> Bool {
        guard name.count == key.utf8CodeUnitCount else { return false }
        return key.withUTF8Buffer { bytes[name].elementsEqual($0) }
    }

    /// Returns whether a key beside `aps` may be one that belongs inside, or is almost spelled like one.
    private func isLikeAKeyOfAps(_ name: Range<Int>) -> Bool {
        // The shortest key that is recognized in another spelling has 14 letters: `mutablecontent`.
        name.count >= 14
            || PayloadKey.aps.keys.contains { $0.utf8.count == name.count && bytes[name].elementsEqual($0.utf8) }
    }

    /// Reads the `aps` of an alert; returns whether it is ordinary.
    private mutating func readAps() throws(JSONError) -> Bool {
        guard cursor.current == UInt8(ascii: "{"), try cursor.enterObject(depth: 1) else { return false }
        var (names, hasVisibleKey) = (Names(), false)
        repeat {
            guard let name = try readName(), names.insert(bytes[name]) else { return false }
            if equals(name, "alert") {
                guard try readAlert() else { return false }
                hasVisibleKey = true
            } else if equals(name, "badge") {
                guard cursor.isAtNumber, cursor.current != UInt8(ascii: "-") else { return false }
                let number = try cursor.readNumber()
                // A number of 18 digits is always an `Int`.
                guard number.isInteger, number.range.count <= 18 else { return false }
                hasVisibleKey = true
            } else if equals(name, "sound") {
                guard let text = try readText(), equals(text, "default") else { return false }
                hasVisibleKey = true
            } else if equals(name, "category") || equals(name, "thread-id") {
                guard cursor.current == UInt8(ascii: "\"") else { return false }
                _ = try cursor.readString()
            } else if equals(name, "target-content-id") {
                guard let text = try readText(), bytes[text].allSatisfy({ 0x21..<0x7F ~= $0 }) else { return false }
            } else {
                return false
            }
        } while try cursor.advanceToNextMember()
        return hasVisibleKey
    }

    /// Reads the `aps` of a background push; returns whether it is ordinary.
    private mutating func readBackgroundAps() throws(JSONError) -> Bool {
        guard cursor.current == UInt8(ascii: "{"), try cursor.enterObject(depth: 1), let name = try readName(),
            equals(name, "content-available"), cursor.isAtNumber
        else { return false }
        let number = try cursor.readNumber()
        guard number.range.count == 1, bytes[number.range.lowerBound] == UInt8(ascii: "1") else { return false }
        return try !cursor.advanceToNextMember()
    }

    /// Reads a string that is not empty and has no escapes; returns `nil` for another value.
    private mutating func readText() throws(JSONError) -> Range<Int>? {
        guard cursor.current == UInt8(ascii: "\"") else { return nil }
        let string = try cursor.readString()
        return string.hasEscapes || string.range.isEmpty ? nil : string.range
    }

    /// Reads an alert: a text, or an object with some.
    private mutating func readAlert() throws(JSONError) -> Bool {
        if cursor.current == UInt8(ascii: "\"") { return try !cursor.readString().range.isEmpty }
        guard cursor.current == UInt8(ascii: "{"), try cursor.enterObject(depth: 2) else { return false }
        repeat {
            guard let name = try readName(), equals(name, "title") || equals(name, "body") || equals(name, "subtitle"),
                cursor.current == UInt8(ascii: "\""), try !cursor.readString().range.isEmpty
            else { return false }
        } while try cursor.advanceToNextMember()
        return true
    }
}
