internal import CZlib
internal import Foundation
internal import JSONScanning
internal import TextBasics
package import WaypostSchema

/// A line of a journal: an entry, the number of lines on the disk when it was written, and a checksum of both.
///
/// It is the entry's JSON with two more members at its end, which readers of the schema ignore:
/// `{"at":…,"type":…,…,"safe":12,"checksum":"9ae0daaf"}`.
package struct JournalLine: Sendable, Equatable {
    /// The entry.
    package var entry: JournalEntry

    /// The number of lines that were on the disk when this line was written; other lines of the same write may be
    /// missing.
    package var durableLineCount: Int

    /// Creates the line from its parts.
    package init(entry: JournalEntry, durableLineCount: Int) {
        self.entry = entry
        self.durableLineCount = durableLineCount
    }

    /// The reason why a line cannot be used.
    package enum ParseError: Error, Sendable, Equatable {
        /// The line is incomplete, or not as it was written.
        case broken

        /// The line is as it was written, by a version that knows more; the reason is human-readable.
        case unknown(String)
    }

    private static let safeStart = Array(#","safe":"#.utf8)
    private static let checksumStart = Array(#","checksum":""#.utf8)
    private static let checksumEnd = Array(#""}"#.utf8)
    private static let checksumDigits = 8

    /// The line in UTF-8, without a line feed.
    ///
    /// - Throws: the encoder's error, for a number that JSON cannot represent.
    package var bytes: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            var bytes = Array(try encoder.encode(entry))
            bytes.removeLast()
            bytes += Self.safeStart + Array("\(durableLineCount)".utf8)
            let checksum = Self.checksum(of: bytes[...])
            return bytes + Self.checksumStart + checksum + Self.checksumEnd
        }
    }

    /// Parses a line.
    ///
    /// - Parameter bytes: the line, without its line feed.
    /// - Throws: `ParseError` if the line cannot be used.
    package init(_ bytes: ArraySlice<UInt8>) throws(ParseError) {
        guard Self.isIntact(bytes) else { throw .broken }
        let content = bytes.dropLast(Self.checksumStart.count + Self.checksumDigits + Self.checksumEnd.count)
        let digits = content.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
        guard let durableLineCount = Int(String(decoding: content.suffix(digits), as: UTF8.self)),
            content.dropLast(digits).suffix(Self.safeStart.count).elementsEqual(Self.safeStart)
        else { throw .unknown("the number of lines on the disk before it is missing") }
        let json = Data(content.dropLast(digits + Self.safeStart.count)) + Data("}".utf8)
        do {
            let entry = try DocumentDecoder.decode(JournalEntry.self, fromDeepJSON: json)
            self.init(entry: entry, durableLineCount: durableLineCount)
        } catch {
            throw .unknown(DecodingError.sentence(of: error))
        }
    }

    /// Returns the contents of the line with a number, or `nil` if the line is broken.
    ///
    /// - Throws: `JournalError.unknownEntry` if a newer version wrote it.
    static func parse(_ line: ArraySlice<UInt8>, number: Int) throws(JournalError) -> Self? {
        do throws(ParseError) {
            return try Self(line)
        } catch {
            switch error {
            case .broken: return nil
            case .unknown(let reason): throw .unknownEntry(line: number, reason: reason)
            }
        }
    }

    /// Returns the entry of the line with a number, which was safe.
    ///
    /// - Throws: `JournalError.damaged` or `JournalError.unknownEntry`.
    static func entry(in line: ArraySlice<UInt8>, number: Int) throws(JournalError) -> JournalEntry {
        guard let journalLine = try parse(line, number: number) else { throw .damaged(line: number) }
        return journalLine.entry
    }

    /// Returns whether a line is complete and as it was written.
    static func isIntact(_ line: ArraySlice<UInt8>) -> Bool {
        let tail = checksumStart.count + checksumDigits + checksumEnd.count
        guard line.count > tail else { return false }
        return line.suffix(tail).elementsEqual(checksumStart + checksum(of: line.dropLast(tail)) + checksumEnd)
    }

    /// Returns the checksum at the end of a line, or of the last of several lines, without checking it.
    static func storedChecksum(of lines: ArraySlice<UInt8>) -> String {
        String(decoding: lines.dropLast(checksumEnd.count).suffix(checksumDigits), as: UTF8.self)
    }

    /// Returns the CRC-32 of bytes (RFC 1952, section 8), as eight hexadecimal digits.
    static func checksum(of bytes: ArraySlice<UInt8>) -> [UInt8] {
        let sum = bytes.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32(truncatingIfNeeded: $0.count)) }
        return Array(Hexadecimal.string(UInt32(truncatingIfNeeded: sum)).utf8)
    }
}
