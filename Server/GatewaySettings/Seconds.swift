/// A time span as users write it: a whole number with its unit, such as `24h`, `30m` or `90s`; `0` needs no unit.
struct Seconds: Equatable {
    let count: Int

    private static let units: [Character: Int] = ["s": 1, "m": 60, "h": 60 * 60, "d": 24 * 60 * 60]

    init(count: Int) {
        self.count = count
    }

    /// Creates the whole seconds of a duration.
    init(_ duration: Duration) {
        self.init(count: Int(duration.components.seconds))
    }

    init?(_ string: String) {
        if string == "0" {
            count = 0
            return
        }
        let digits = string.dropLast()
        guard let unit = string.last.flatMap({ Self.units[$0] }), digits.allSatisfy({ ("0"..."9").contains($0) }),
            let number = Int(digits)
        else { return nil }
        let (seconds, isTooLarge) = number.multipliedReportingOverflow(by: unit)
        // A hundred years are enough, and sums cannot overflow.
        guard !isTooLarge, seconds <= 100 * 366 * 24 * 60 * 60 else { return nil }
        count = seconds
    }
}

extension Seconds: CustomStringConvertible {
    var description: String {
        for unit in ["h", "m"] {
            guard let unitSeconds = Self.units[Character(unit)], count > 0, count.isMultiple(of: unitSeconds) else {
                continue
            }
            return "\(count / unitSeconds)\(unit)"
        }
        return count == 0 ? "0" : "\(count)s"
    }
}
