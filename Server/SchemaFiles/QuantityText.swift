internal import Foundation

/// Shares such as `2.5%`, sizes such as `250KB`, and the check of all texts that stand for a quantity.
package enum QuantityText {
    /// Returns the share from 0 to 1 that `text` stands for, or `nil` if it is none.
    package static func share(in text: String) -> Double? {
        guard text.hasSuffix("%"), let number = Double(text.dropLast()), (0...100).contains(number) else { return nil }
        return number / 100
    }

    /// Returns a share as text in the same form.
    package static func text(ofShare share: Double) -> String {
        let percent = (share * 10_000).rounded() / 100
        return percent == percent.rounded() ? "\(Int(percent))%" : "\(percent)%"
    }

    private static let units: [(name: String, bytes: Int)] = [
        ("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1_000), ("B", 1),
    ]

    /// Returns the bytes that `text` stands for, or `nil` if it is no size.
    package static func bytes(in text: String) -> Int? {
        guard let unit = units.first(where: { text.hasSuffix($0.name) }),
            let number = Int(text.dropLast(unit.name.count)), number >= 0
        else { return nil }
        let (bytes, overflows) = number.multipliedReportingOverflow(by: unit.bytes)
        return overflows ? nil : bytes
    }

    /// Returns the end of a message about a text that is no quantity of a form, or `nil` if it is one.
    ///
    /// - Parameters:
    ///   - form: the form that a schema names with `x-text`: `duration`, `share`, `size` or `path`.
    ///   - text: the text.
    /// - Returns: the end of the message.
    @Sendable package static func problem(form: String, of text: String) -> String? {
        switch form {
        case "duration": DurationText.problem(of: text)
        case "share": share(in: text) == nil ? "; use a share from 0% to 100%, such as 2.5%" : nil
        case "size":
            (bytes(in: text) ?? 0) > 0 ? nil : "; use a number and a unit: B, KB, MB or GB, such as 250KB"
        case "path": text.isEmpty ? "; it must not be empty" : nil
        default: nil
        }
    }
}
