public import JSONScanning

/// A reader of the items of one batch, in order: lines of NDJSON, or the elements of one JSON array.
///
/// The first byte that is not white space selects the format: `[` starts an array. A line that cannot be read does
/// not affect other lines. An array is one JSON document, so a syntax error in it makes the whole batch unreadable.
public struct BatchItemReader {
    /// One item, or the error that prevents reading it, with its position.
    public struct Entry: Sendable, Equatable {
        /// The item's index in the batch, from 0.
        public var index: Int

        /// The line at which the item starts, from 1.
        public var line: Int

        /// The offset of the byte at which the item starts.
        public var offset: Int

        /// The number of bytes from `offset` to the end of the item, or to the end of its line.
        public var length: Int

        /// The item, or the error that prevents reading it.
        public var result: Result<ScannedItem, ScannedItemError>

        /// The offset at which the line of the item's start begins.
        let lineStart: Int

        /// Returns the line and the column of an `offset` inside the item.
        ///
        /// - Parameters:
        ///   - offset: a byte of the item, or the byte after it.
        ///   - bytes: the bytes that were read.
        /// - Returns: the line and the column as an editor counts them: both from 1, the column in bytes.
        /// - Complexity: O(length of the item).
        public func location(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
            let lineBreaks = bytes[self.offset..<offset].indices.filter { bytes[$0] == UInt8(ascii: "\n") }
            let start = lineBreaks.last.map { $0 + 1 } ?? lineStart
            return (line + lineBreaks.count, offset - start + 1)
        }
    }

    /// A syntax error in an array of items.
    public struct BodyError: Error, Equatable, Sendable {
        /// The error and its offset.
        public var jsonError: JSONError

        /// The line of the error, from 1.
        public var line: Int
    }

    private enum State {
        case lines
        case array(isFirst: Bool)
        case done
    }

    /// The bytes of the batch; the items' slices refer to them.
    public let bytes: [UInt8]

    private var cursor: JSONCursor
    private var state: State
    private var index = 0
    private var line = 1
    private var lineStart = 0

    /// The offset up to which lines are counted.
    private var lineCountEnd = 0

    /// Creates a reader of `bytes`, a whole batch.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        cursor = JSONCursor(bytes, in: bytes.indices, allowsLineBreaks: false)
        state = .lines
        var arrayCursor = JSONCursor(bytes, in: bytes.indices)
        arrayCursor.skipWhitespace()
        if arrayCursor.skip(UInt8(ascii: "[")) {
            cursor = arrayCursor
            state = .array(isFirst: true)
        }
    }

    /// Returns the next item, or `nil` after the last one.
    ///
    /// - Throws: `BodyError` if an array stops being JSON; the reader then has no more items.
    public mutating func next() throws(BodyError) -> Entry? {
        switch state {
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
        // An item is followed by its line break or by the end of the batch.
        defer { _ = skipLineBreak() }
        return makeEntry(at: start, result)
    }

    /// Scans the item on this line and moves to the end of the line.
    ///
    /// A valid item is scanned once, which also finds its end. Otherwise the line is cut out and scanned again on its
    /// own, so that the error describes a document that ends with the line.
    private mutating func scanLine() -> Result<ScannedItem, ScannedItemError> {
        let start = cursor.position
        let scan = ScannedItem.scanValue(&cursor)
        cursor.skipWhitespace()
        if case .success = scan.result, cursor.current == nil || cursor.current == UInt8(ascii: "\n") {
            return scan.result
        }
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        cursor = JSONCursor(bytes, in: end..<bytes.count, allowsLineBreaks: false)
        do throws(ScannedItemError) {
            return .success(try ScannedItem.scan(bytes, in: start..<end))
        } catch {
            return .failure(error)
        }
    }

    /// Moves to the next line that is not blank; blank lines, and the end of the last line, are not items.
    private mutating func skipBlankLines() {
        repeat { cursor.skipWhitespace() } while skipLineBreak()
    }

    /// Moves past a line break, if there is one, and returns whether there was.
    private mutating func skipLineBreak() -> Bool {
        guard cursor.skip(UInt8(ascii: "\n")) else { return false }
        line += 1
        lineStart = cursor.position
        lineCountEnd = cursor.position
        return true
    }

    private mutating func nextElement(isFirst: Bool) throws(BodyError) -> Entry? {
        do throws(JSONError) {
            cursor.skipWhitespace()
            if cursor.skip(UInt8(ascii: "]")) {
                state = .done
                cursor.skipWhitespace()
                guard cursor.current == nil else { throw cursor.error(expected: "the end of the batch") }
                return nil
            }
            if !isFirst {
                try cursor.require(UInt8(ascii: ","), expected: "',' or ']'")
                cursor.skipWhitespace()
            }
            state = .array(isFirst: false)
            let start = cursor.position
            let scan = ScannedItem.scanValue(&cursor)
            if case .failure(let error) = scan.result, case .invalidJSON(let jsonError) = error.problem {
                throw jsonError
            }
            return makeEntry(at: start, scan.result)
        } catch {
            state = .done
            throw BodyError(jsonError: error, line: countLines(upTo: error.offset))
        }
    }

    private mutating func makeEntry(at start: Int, _ result: Result<ScannedItem, ScannedItemError>) -> Entry {
        defer { index += 1 }
        let line = countLines(upTo: start)
        let length = cursor.position - start
        return Entry(index: index, line: line, offset: start, length: length, result: result, lineStart: lineStart)
    }

    /// Counts the lines from the end of the last count up to `offset`, and returns the line of `offset`.
    ///
    /// In NDJSON, `skipLineBreak` has counted the lines already.
    private mutating func countLines(upTo offset: Int) -> Int {
        while lineCountEnd < offset {
            if bytes[lineCountEnd] == UInt8(ascii: "\n") {
                line += 1
                lineStart = lineCountEnd + 1
            }
            lineCountEnd += 1
        }
        return line
    }
}
