/// An event of an event stream.
package struct ServerSentEvent: Sendable, Equatable {
    /// The event's type; `message` unless the stream says otherwise.
    package var type = "message"

    /// The last identifier in the stream.
    package var id = ""

    /// The lines of data, joined by line feeds.
    package var data: String
}

/// A parser of an event stream that arrives in chunks of any size (WHATWG HTML, 9.2.6).
package struct ServerSentEventParser: Sendable {
    /// The error for an event that is larger than any event of a gateway.
    package struct EventTooLargeError: Error, Equatable, CustomStringConvertible {
        /// The maximum number of bytes of an event.
        package let limit: Int

        /// A description of the error.
        package var description: String {
            "an event of the stream is larger than \(limit) bytes"
        }
    }

    /// The default maximum number of bytes of an event: several times a payload of 64 KiB.
    package static let maximumEventSize = 1 << 20

    /// The character U+FEFF, which may begin a stream.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let maximumSize: Int
    private var line: [UInt8] = []
    private var lastByteIsCarriageReturn = false
    private var isFirstLine = true
    private var type = ""
    private var id = ""
    private var data: [String] = []
    private var eventSize = 0

    /// Creates a parser at the start of a stream.
    ///
    /// - Parameter maximumEventSize: the maximum number of bytes of an event.
    package init(maximumEventSize: Int = Self.maximumEventSize) {
        maximumSize = maximumEventSize
    }

    /// Parses the next chunk.
    ///
    /// - Returns: the events that it completes.
    /// - Throws: `EventTooLargeError`, after which the parser cannot be used.
    package mutating func parse(_ chunk: some Sequence<UInt8>) throws(EventTooLargeError) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in chunk {
            // A line ends with CR, LF or both.
            let isSecondOfTwo = byte == UInt8(ascii: "\n") && lastByteIsCarriageReturn
            lastByteIsCarriageReturn = byte == UInt8(ascii: "\r")
            if isSecondOfTwo { continue }
            if lastByteIsCarriageReturn || byte == UInt8(ascii: "\n") {
                if let event = endLine() { events.append(event) }
            } else {
                eventSize += 1
                guard eventSize <= maximumSize else { throw EventTooLargeError(limit: maximumSize) }
                line.append(byte)
            }
        }
        return events
    }

    /// Processes a line; a blank line completes an event.
    private mutating func endLine() -> ServerSentEvent? {
        let isMarked = isFirstLine && line.starts(with: Self.byteOrderMark)
        isFirstLine = false
        let isBlank = line.count == (isMarked ? Self.byteOrderMark.count : 0)
        let (name, value) = Self.field(in: isMarked ? line.dropFirst(Self.byteOrderMark.count) : line[...])
        // Only a parser with a greater limit reads a longer line, which is rare.
        line.removeAll(keepingCapacity: line.capacity <= Self.maximumEventSize)
        guard !isBlank else { return endEvent() }
        switch name {
        case "event": type = value
        case "data": data.append(value)
        case "id" where !value.utf8.contains(0): id = value
        // Comments, `retry` and unknown fields.
        default: break
        }
        return nil
    }

    /// Returns the name and the value of the field in a line.
    ///
    /// They are divided as bytes: with a combining mark after it, a colon or a space is part of another character.
    private static func field(in line: ArraySlice<UInt8>) -> (name: String, value: String) {
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line.dropFirst(name.count + 1)
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        return (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
    }

    private mutating func endEvent() -> ServerSentEvent? {
        defer {
            type = ""
            data = []
            eventSize = 0
        }
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(type: type.isEmpty ? "message" : type, id: id, data: data.joined(separator: "\n"))
    }
}
