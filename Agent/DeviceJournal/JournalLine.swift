internal import CZlib
internal import Foundation
package import WaypostSchema

/// A line of a journal on the disk: an entry, how much was safe when it was written, and a checksum of both.
///
/// It is the entry's JSON with two more members at its end, which whoever reads the schema passes over:
/// `{"at":…,"type":…,…,"safe":12,"checksum":"9ae0daaf"}`.
package struct JournalLine: Sendable, Equatable {
    /// The entry.
    package var entry: JournalEntry

    /// How many lines before it were on the disk when it was written: those beside it may be missing where it is not.
    package var safe: Int

    /// Creates the line from its parts.
    package init(entry: JournalEntry, safe: Int) {
        self.entry = entry
        self.safe = safe
    }

    /// Why a line cannot be used.
    package enum ParseError: Error, Sendable, Equatable {
        /// It is not as it was written, or not whole.
        case broken

        /// It is as it was written, by a version that knows more; the reason is for a person.
        case unknown(String)
    }

    private static let safeStart = Array(#","safe":"#.utf8)
    private static let checksumStart = Array(#","checksum":""#.utf8)
    private static let checksumEnd = Array(#""}"#.utf8)
    private static let checksumDigits = 8

    /// The line in UTF-8, without a line feed.
    ///
    /// - Throws: what the encoder throws, for a number that JSON does not have.
    package var bytes: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            var bytes = Array(try encoder.encode(entry))
            bytes.removeLast()
            bytes += Self.safeStart + Array("\(safe)".utf8)
            let checksum = Self.checksum(of: bytes[...])
            return bytes + Self.checksumStart + checksum + Self.checksumEnd
        }
    }

    /// Reads a line.
    ///
    /// - Parameter bytes: the line, without its line feed.
    /// - Throws: `ParseError`.
    package init(_ bytes: ArraySlice<UInt8>) throws(ParseError) {
        guard Self.isWhole(bytes) else { throw .broken }
        let content = bytes.dropLast(Self.checksumStart.count + Self.checksumDigits + Self.checksumEnd.count)
        let digits = content.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
        guard let safe = Int(String(decoding: content.suffix(digits), as: UTF8.self)),
            content.dropLast(digits).suffix(Self.safeStart.count).elementsEqual(Self.safeStart)
        else { throw .unknown("it does not say how many lines were safe before it") }
        let json = Data(content.dropLast(digits + Self.safeStart.count)) + Data("}".utf8)
        do {
            self.init(entry: try JSONDecoder().decode(JournalEntry.self, from: json), safe: safe)
        } catch {
            throw .unknown("\(error)")
        }
    }

    /// Whether a line is as it was written.
    static func isWhole(_ line: ArraySlice<UInt8>) -> Bool {
        let tail = checksumStart.count + checksumDigits + checksumEnd.count
        guard line.count > tail else { return false }
        return line.suffix(tail).elementsEqual(checksumStart + checksum(of: line.dropLast(tail)) + checksumEnd)
    }

    /// The checksum that a line ends with, which need not be right; the line may be the last of several.
    static func writtenChecksum(of lines: ArraySlice<UInt8>) -> String {
        String(decoding: lines.dropLast(checksumEnd.count).suffix(checksumDigits), as: UTF8.self)
    }

    /// The CRC-32 of bytes (RFC 1952, section 8), as eight digits.
    static func checksum(of bytes: ArraySlice<UInt8>) -> [UInt8] {
        let sum = bytes.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32(truncatingIfNeeded: $0.count)) }
        let digits = String(UInt32(truncatingIfNeeded: sum), radix: 16)
        return Array((String(repeating: "0", count: checksumDigits - digits.count) + digits).utf8)
    }
}
