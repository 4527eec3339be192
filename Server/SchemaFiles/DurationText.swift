/// A duration as text, such as `90s`, `30m`, `2h`, `1d` or `1h30m`.
package enum DurationText {
    /// The forms that are accepted, for messages.
    private static let acceptedForms = "use a number and a unit: ms, s, m, h or d, such as 90s, 30m or 1h30m"

    private static let units: [(name: String, milliseconds: Int)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
    ]

    /// The longest duration: 100 years.
    private static let maximumMilliseconds = 100 * 366 * 86_400_000

    /// Returns the end of a message about a text that is not a duration, or `nil` if it is one.
    package static func problem(of text: String) -> String? {
        guard milliseconds(in: text) == nil else { return nil }
        let isTooLong = text.wholeMatch(of: #/([0-9]+(ms|s|m|h|d))+/#) != nil
        return isTooLong ? "; the longest duration is \(Self.text(maximumMilliseconds))" : "; \(acceptedForms)"
    }

    /// Returns the milliseconds that `text` stands for, or `nil` if it is no duration.
    package static func milliseconds(in text: String) -> Int? {
        var rest = Substring(text)
        var sum = 0
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix(while: \.isNumber)
            rest = rest.dropFirst(digits.count)
            let name = rest.prefix(while: \.isLetter)
            rest = rest.dropFirst(name.count)
            guard let number = Int(digits), let unit = units.first(where: { $0.name == name }) else { return nil }
            let (product, overflows) = number.multipliedReportingOverflow(by: unit.milliseconds)
            guard !overflows, product <= maximumMilliseconds else { return nil }
            sum += product
        }
        return sum <= maximumMilliseconds ? sum : nil
    }

    /// Returns a number of milliseconds as text in the same form.
    package static func text(_ milliseconds: Int) -> String {
        var rest = milliseconds
        var text = ""
        for unit in units where rest >= unit.milliseconds {
            text += "\(rest / unit.milliseconds)\(unit.name)"
            rest %= unit.milliseconds
        }
        return text.isEmpty ? "0s" : text
    }
}
