public import JSONScanning

/// A reader of the items of one batch, in order: lines of NDJSON, or the elements of one JSON array.
///
/// Which of the two is told by the first byte that is no white space: `[` starts an array. A line that cannot be read
/// costs only itself. An array is one JSON document, so where it stops being JSON the whole batch is at fault.
public struct BatchItemReader {
    /// One item, or why it could not be read, and where it stands.
    public struct Entry: Sendable, Equatable {
        /// The item's place in the batch, from 0.
        public var index: Int

        /// The line it starts on, from 1.
        public var line: Int

        /// The byte it starts at.
        public var offset: Int

        /// The bytes from there to its end, or to the end of its line.
        public var length: Int

        /// The item, or why it could not be read.
        public var result: Result<ScannedItem, ScannedItemError>

        /// Where the line that the item starts on starts.
        let lineStart: Int

        /// Returns the line and the column, both from 1 and the column in bytes, of an `offset` inside the item.
        ///
        /// - Parameters:
        ///   - offset: a byte of the item, or the one behind it.
        ///   - bytes: the bytes that were read.
        /// - Returns: the place, where an editor would go.
        /// - Complexity: O(length of the item).
        public func place(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
            let lineBreaks = bytes[self.offset..<offset].indices.filter { bytes[$0] == UInt8(ascii: "\n") }
            let start = lineBreaks.last.map { $0 + 1 } ?? lineStart
            return (line + lineBreaks.count, offset - start + 1)
        }
    }

    /// Where and why an array of items stops being JSON.
    public struct BodyError: Error, Equatable, Sendable {
        /// What is wrong, and the byte.
        public var jsonError: JSONError

        /// The line, from 1.
        public var line: Int
    }

    private enum Layout {
        case lines
        case array(isFirst: Bool)
        case done
    }

    /// The bytes that are read; the slices of the items are slices of these.
    public let bytes: [UInt8]

    private var cursor: JSONCursor
    private var layout: Layout
    private var index = 0
    private var line = 1
    private var lineStart = 0
    private var countedTo = 0

    /// Creates a reader of `bytes`, a whole batch.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        cursor = JSONCursor(bytes, in: bytes.indices, spansLines: false)
        layout = .lines
        var start = JSONCursor(bytes, in: bytes.indices)
        start.skipWhitespace()
        if start.skip(UInt8(ascii: "[")) {
            cursor = start
            layout = .array(isFirst: true)
        }
    }

    /// Returns the next item, or `nil` behind the last.
    ///
    /// - Throws: `BodyError` where an array stops being JSON; nothing more can be read then.
    public mutating func next() throws(BodyError) -> Entry? {
        switch layout {
        case .lines: nextLine()
        case .array(let isFirst): try nextElement(isFirst: isFirst)
        case .done: nil
        }
    }

    private mutating func nextLine() -> Entry? {
        skipBlankLines()
        guard cursor.position < bytes.count else { return nil }
        let start = cursor.position
        let result = scanLine()
        // Behind an item there is its line break or the end.
        defer { _ = skipLineBreak() }
        return entry(at: start, result)
    }

    /// Scans the item on the line, and moves to the line's end.
    ///
    /// Where the item is good its end is found while it is scanned. Where it is not, the line is cut out first and then
    /// scanned again, so that what is wrong is told as of a document that ends with its line.
    private mutating func scanLine() -> Result<ScannedItem, ScannedItemError> {
        let start = cursor.position
        let scan = ScannedItem.scanValue(&cursor)
        cursor.skipWhitespace()
        if case .success = scan.result, cursor.current == nil || cursor.current == UInt8(ascii: "\n") {
            return scan.result
        }
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        cursor = JSONCursor(bytes, in: end..<bytes.count, spansLines: false)
        do throws(ScannedItemError) {
            return .success(try ScannedItem.scan(bytes, in: start..<end))
        } catch {
            return .failure(error)
        }
    }

    /// Moves to the next line that is not blank: blank lines are no items, and neither is the end of the last line.
    private mutating func skipBlankLines() {
        repeat { cursor.skipWhitespace() } while skipLineBreak()
    }

    /// Moves over a line break where one is here; says whether it did.
    private mutating func skipLineBreak() -> Bool {
        guard cursor.skip(UInt8(ascii: "\n")) else { return false }
        line += 1
        lineStart = cursor.position
        countedTo = cursor.position
        return true
    }

    private mutating func nextElement(isFirst: Bool) throws(BodyError) -> Entry? {
        do throws(JSONError) {
            cursor.skipWhitespace()
            if cursor.skip(UInt8(ascii: "]")) {
                layout = .done
                cursor.skipWhitespace()
                guard cursor.current == nil else { throw cursor.error(expected: "the end of the batch") }
                return nil
            }
            if !isFirst {
                try cursor.require(UInt8(ascii: ","), "',' or ']'")
                cursor.skipWhitespace()
            }
            layout = .array(isFirst: false)
            let start = cursor.position
            let scan = ScannedItem.scanValue(&cursor)
            if case .failure(let error) = scan.result, case .invalidJSON(let problem) = error.problem { throw problem }
            return entry(at: start, scan.result)
        } catch {
            layout = .done
            throw BodyError(jsonError: error, line: lineNumber(at: error.offset))
        }
    }

    private mutating func entry(at start: Int, _ result: Result<ScannedItem, ScannedItemError>) -> Entry {
        defer { index += 1 }
        let line = lineNumber(at: start)
        let length = cursor.position - start
        return Entry(index: index, line: line, offset: start, length: length, result: result, lineStart: lineStart)
    }

    /// Counts line breaks on from where it last stopped, so that an array is counted once.
    ///
    /// Lines are counted as they are
    /// read, so that there is nothing left to count.
    private mutating func lineNumber(at offset: Int) -> Int {
        while countedTo < offset {
            if bytes[countedTo] == UInt8(ascii: "\n") {
                line += 1
                lineStart = countedTo + 1
            }
            countedTo += 1
        }
        return line
    }
}
