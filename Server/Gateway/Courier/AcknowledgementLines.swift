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
    static let maximumLine = CourierRequest.maximumBody

    /// The part of a line that has arrived.
    private var rest: [UInt8] = []
    private var lines = 0

    /// Returns the acknowledgements of the lines that `bytes` complete.
    mutating func append(_ bytes: some Collection<UInt8>) throws(Problem) -> [Acknowledgement] {
        var acknowledgements: [Acknowledgement] = []
        var bytes = bytes[...]
        while let lineFeed = bytes.firstIndex(of: UInt8(ascii: "\n")) {
            lines += 1
            rest += bytes[..<lineFeed]
            bytes = bytes[bytes.index(after: lineFeed)...]
            if let acknowledgement = try acknowledgement() { acknowledgements.append(acknowledgement) }
            rest.removeAll(keepingCapacity: rest.count < 1_024)
        }
        guard rest.count + bytes.count <= Self.maximumLine else {
            throw Problem(line: lines + 1, message: "the line is longer than \(Self.maximumLine) bytes")
        }
        rest += bytes
        return acknowledgements
    }

    private func acknowledgement() throws(Problem) -> Acknowledgement? {
        if let compact = Self.compact(rest) { return compact }
        guard rest.contains(where: { ![UInt8(ascii: " "), UInt8(ascii: "\r")].contains($0) }) else { return nil }
        do throws(RequestError) {
            return try JSONBody.decode(Acknowledgement.self, from: rest)
        } catch {
            throw Problem(line: lines, message: error.message)
        }
    }

    /// Returns the acknowledgement of a line in the form in which our devices write it; `nil` for any other line.
    ///
    /// Reading it takes a hundredth of the time of the decoder.
    private static func compact(_ line: [UInt8]) -> Acknowledgement? {
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

/// A reader of whole numbers without a sign, and of what is between them.
private struct NumberReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool {
        position == bytes.count
    }

    mutating func skip(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count - position >= count else { return false }
        for offset in 0..<count where bytes[position + offset] != text.utf8Start[offset] { return false }
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
