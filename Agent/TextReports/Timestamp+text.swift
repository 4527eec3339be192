internal import Foundation
internal import TextBasics
package import WaypostSchema

extension Timestamp {
    /// The last time that is written as a date: the end of the year 9999.
    private static let lastDate = Timestamp(milliseconds: 253_402_300_799_999)

    /// The time in ISO 8601, in UTC, such as `2026-09-21T14:13:20.007Z`.
    package var textWithMilliseconds: String {
        guard (Timestamp(milliseconds: 0)...Self.lastDate).contains(self) else { return "\(rawValue) ms since 1970" }
        let date = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
        return date.dropLast() + "." + Self.padded(rawValue % 1_000, to: 3) + "Z"
    }

    /// The time in UTC without its year, such as `09-21 14:13:20.007`.
    package var shortText: String {
        let text = textWithMilliseconds
        guard text.count == "2026-09-21T14:13:20.007Z".count else { return text }
        return String(text.dropFirst("2026-".count).dropLast().replacing("T", with: " "))
    }

    /// Returns the time since an earlier time, such as `+12 ms`.
    package func text(after earlier: Self) -> String {
        let milliseconds = rawValue - earlier.rawValue
        guard (1_000..<60_000).contains(milliseconds) else { return "+" + TimeText.duration(milliseconds) }
        return "+\(milliseconds / 1_000).\(Self.padded(milliseconds % 1_000, to: 3)) s"
    }

    private static func padded(_ number: Int, to digits: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
