internal import LocalService
internal import WaypostSchema

/// The body of a session's request, as a value: each line of JSON is an acknowledgement, and an empty line means
/// nothing.
struct AcknowledgementLines {
    /// A line that is not an acknowledgement.
    struct Problem: Error, Equatable {
        /// The number of the line, from 1.
        var line: Int

        /// The problem with it.
        var message: String
    }

    /// The maximum size of a line in bytes: room for more than a hundred thousand sequences.
    static let maximumLineLength = CourierRequest.maximumBodySize

    /// The part of a line that has arrived.
    private var partialLine: [UInt8] = []
    private var lineCount = 0

    /// Returns the acknowledgements of the lines that `bytes` complete.
    mutating func append(_ bytes: some Collection<UInt8>) throws(Problem) -> [Acknowledgement] {
        var acknowledgements: [Acknowledgement] = []
        var bytes = bytes[...]
        while let lineFeed = bytes.firstIndex(of: UInt8(ascii: "\n")) {
            lineCount += 1
            partialLine += bytes[..<lineFeed]
            bytes = bytes[bytes.index(after: lineFeed)...]
            if let acknowledgement = try decodeLine() { acknowledgements.append(acknowledgement) }
            partialLine.removeAll(keepingCapacity: partialLine.count < 1_024)
        }
        guard partialLine.count + bytes.count <= Self.maximumLineLength else {
            throw Problem(line: lineCount + 1, message: "the line is longer than \(Self.maximumLineLength) bytes")
        }
        partialLine += bytes
        return acknowledgements
    }

    private func decodeLine() throws(Problem) -> Acknowledgement? {
        if let acknowledgement = Self.compactAcknowledgement(in: partialLine) { return acknowledgement }
        guard partialLine.contains(where: { ![UInt8(ascii: " "), UInt8(ascii: "\r")].contains($0) }) else { return nil }
        do throws(RequestError) {
            return try JSONBody.decode(Acknowledgement.self, from: partialLine)
        } catch {
            throw Problem(line: lineCount, message: error.message)
        }
    }

    /// Returns the acknowledgement of a line in the form that Waypost agents write; `nil` for any other line.
    ///
    /// Reading it takes a hundredth of the time of the decoder.
    private static func compactAcknowledgement(in line: [UInt8]) -> Acknowledgement? {
        var numbers = NumberReader(line)
        if numbers.skip("{\"upTo\":") {
            guard let number = numbers.next(), numbers.skip("}"), numbers.isAtEnd else { return nil }
            return .upTo(number)
        }
        guard numbers.skip("{\"sequences\":[") else { return nil }
        var sequences: [Int] = []
        repeat {
            guard let number = numbers.next() else { return nil }
            sequences.append(number)
        } while numbers.skip(",")
        return numbers.skip("]}") && numbers.isAtEnd ? .sequences(sequences) : nil
    }
}

/// A reader of unsigned whole numbers and the characters between them.
private struct NumberReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool {
        position == bytes.count
    }

    mutating func skip(_ string: StaticString) -> Bool {
        let count = string.utf8CodeUnitCount
        guard bytes.count - position >= count else { return false }
        for offset in 0..<count where bytes[position + offset] != string.utf8Start[offset] { return false }
        position += count
        return true
    }

    /// Returns the number at the position; `nil` if it is not one, begins with 0, or has more than 18 digits.
    mutating func next() -> Int? {
        let start = position
        var number = 0
        while position < bytes.count, position - start < 18,
            case UInt8(ascii: "0")...UInt8(ascii: "9") = bytes[position]
        {
            number = number * 10 + Int(bytes[position] - UInt8(ascii: "0"))
            position += 1
        }
        return position > start && bytes[start] != UInt8(ascii: "0") ? number : nil
    }
}
