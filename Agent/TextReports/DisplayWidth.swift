internal import CWidth
internal import Foundation

extension StringProtocol {
    /// The number of columns that the text occupies on a terminal.
    package var displayWidth: Int {
        // Nearly all text is ASCII.
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return utf8.count }
        return reduce(0) { $0 + $1.displayWidth }
    }

    /// Returns the text if it fits into `columns`; otherwise its beginning and `…`.
    package func truncated(to columns: Int) -> String {
        guard displayWidth > columns else { return String(self) }
        var (beginning, remainingColumns) = ("", columns - 1)
        for character in self {
            remainingColumns -= character.displayWidth
            guard remainingColumns >= 0 else { break }
            beginning.append(character)
        }
        return beginning + "…"
    }
}

extension Character {
    /// The number of columns that the character occupies on a terminal.
    ///
    /// The C library knows the width of each code point (UAX #11). A sequence is as wide as its widest code point.
    /// A sequence with an emoji variation selector is two columns wide, and so are two letters that form a flag.
    fileprivate var displayWidth: Int {
        let isPicture = unicodeScalars.contains { $0.value == 0xFE0F || (0x1_F1E6...0x1_F1FF).contains($0.value) }
        return isPicture ? 2 : WidthLocale.shared.width(of: unicodeScalars)
    }
}

/// The locale in which the C library knows the widths of all characters, whatever the locale of the user is.
private struct WidthLocale: Sendable {
    static let shared = WidthLocale()

    /// The address of the locale, which is never changed, so that any thread may use it.
    private let address = UInt(bitPattern: newlocale(1 << LC_CTYPE, "C.UTF-8", nil))

    func width(of scalars: some Sequence<Unicode.Scalar>) -> Int {
        let previous = uselocale(locale_t(bitPattern: address))
        defer { uselocale(previous) }
        return scalars.reduce(0) { Swift.max($0, Int(wcwidth(wchar_t($1.value)))) }
    }
}
