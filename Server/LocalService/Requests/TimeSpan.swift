/// Time spans in parameters of requests: a whole number and a unit, such as `90s`.
package enum TimeSpan {
    /// A unit of time, by its symbol.
    package enum Unit: String {
        case millisecond = "ms"
        case second = "s"
        case minute = "m"
        case hour = "h"
        case day = "d"

        fileprivate var milliseconds: Int {
            switch self {
            case .millisecond: 1
            case .second: 1_000
            case .minute: 60_000
            case .hour: 3_600_000
            case .day: 86_400_000
            }
        }
    }

    /// Returns the milliseconds of a span in one of `units`, or `nil` if `string` is not such a span.
    ///
    /// A number has at most 18 digits. A span that overflows is `Int.max`.
    package static func milliseconds(_ string: Substring, units: [Unit]) -> Int? {
        let digits = string.prefix { $0.isASCII && $0.isNumber }
        let unit = Unit(rawValue: String(string.dropFirst(digits.count)))
        guard digits.count <= 18, let count = Int(digits), let unit, units.contains(unit) else { return nil }
        let (milliseconds, overflows) = count.multipliedReportingOverflow(by: unit.milliseconds)
        return overflows ? .max : milliseconds
    }
}
