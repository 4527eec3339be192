import Foundation
import WaypostSchema

/// Figures as text, with commas between thousands.
enum FigureText {
    /// Returns a number with three digits or, if it is larger, without a fraction: 0.84, 12.4, 1,240.
    static func number(_ value: Double) -> String {
        if value == value.rounded() {
            return number(value, decimals: 0)
        }
        // The limits are those at which rounding gives the number one more digit.
        return switch abs(value) {
        case 99.95...: number(value, decimals: 0)
        case 9.995...: number(value, decimals: 1)
        case 0.0995...: number(value, decimals: 2)
        default: number(value, decimals: 3)
        }
    }

    /// Returns a round number, such as that of a tick, with the fewest digits.
    static func roundNumber(_ value: Double) -> String {
        let decimals = (0...6).first { decimals in
            let shifted = value * pow(10, Double(decimals))
            return abs(shifted - shifted.rounded()) < 1e-6
        }
        return abs(value) < 1e7 ? number(value, decimals: decimals ?? 6) : String(format: "%.2g", value)
    }

    /// Returns a time in milliseconds with its unit.
    static func milliseconds(_ value: Double) -> String {
        "\(number(value)) ms"
    }

    /// Returns a length of time in the largest unit, up to hours, of which `granularity` is a whole multiple.
    static func duration(_ seconds: Double, granularity: Double) -> String {
        let units = [("h", 3_600.0), ("min", 60.0), ("s", 1.0)]
        let unit = units.first { granularity >= $0.1 && granularity.remainder(dividingBy: $0.1) == 0 }
        let (name, length) = unit ?? ("s", 1)
        return "\(number(seconds / length)) \(name)"
    }

    /// Returns `part` of `whole` in percent, and 100% only for all of it.
    static func share(_ part: Int, of whole: Int) -> String {
        let percent = whole == 0 ? 0 : 100 * Double(part) / Double(whole)
        let isAlmostAll = part < whole && percent > 99.9
        return "\(isAlmostAll ? number(min(percent, 99.99), decimals: 2) : number(percent))%"
    }

    /// Returns a number of things with their name in singular or plural.
    static func count(_ count: Int, _ name: String) -> String {
        "\(number(Double(count))) \(name)\(count == 1 ? "" : "s")"
    }

    /// Returns a time in UTC to the second.
    static func time(_ timestamp: Timestamp) -> String {
        let date = Date(timeIntervalSince1970: Double(timestamp.rawValue) / 1_000)
        let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .gmt)
        return "\(date.formatted(style.year().month().day().time(includingFractionalSeconds: false))) UTC"
    }

    private static func number(_ value: Double, decimals: Int) -> String {
        guard value.isFinite else { return "–" }
        guard abs(value) < 1e15 else { return String(format: "%.3g", value) }
        let digits = String(format: "%.\(decimals)f", abs(value))
        let whole = digits.prefix { $0 != "." }
        let sign = value < 0 && digits.contains { ("1"..."9").contains($0) } ? "\u{2212}" : ""
        return sign + grouped(whole) + digits.dropFirst(whole.count)
    }

    private static func grouped(_ digits: Substring) -> String {
        digits.enumerated().reduce(into: "") { text, digit in
            if digit.offset > 0, (digits.count - digit.offset).isMultiple(of: 3) {
                text += ","
            }
            text.append(digit.element)
        }
    }
}
