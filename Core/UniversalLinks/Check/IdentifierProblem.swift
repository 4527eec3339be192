internal import JSONScanning
internal import TextBasics
internal import WaypostSchema

/// The reason that an application identifier in a file can match no app, or probably matches none.
struct IdentifierProblem {
    /// An error if no app can have the identifier, and a warning if its prefix is unusual.
    let severity: FindingSeverity

    /// The problem, as a human-readable clause.
    let message: String

    /// The identifier that was probably meant; `nil` if it is not clear.
    let correction: String?

    /// Creates the problem of an identifier, or `nil` if there is none.
    init?(_ text: String) {
        let correction = Self.corrected(text)
        if let error = Self.error(in: text) {
            severity = .error
            message = error
            self.correction = Self.error(in: correction) == nil ? correction : nil
        } else if let warning = Self.warning(about: text) {
            severity = .warning
            message = warning
            let isCorrect = Self.error(in: correction) == nil && Self.warning(about: correction) == nil
            self.correction = isCorrect ? correction : nil
        } else {
            return nil
        }
    }

    // MARK: - Problems

    private static let example = "ABCDE12345.com.example.app"

    private static func error(in text: String) -> String? {
        let excerpt = text.safe(for: .excerpt)
        if text.contains("/") {
            return "'\(excerpt)' looks like a URL; write an application identifier, such as \(example)"
        }
        if text.first?.isWhitespace == true || text.last?.isWhitespace == true {
            return "'\(excerpt)' begins or ends with a blank, so no app has this identifier"
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, !parts.contains(where: \.isEmpty) else {
            let advice = "write a prefix, a period and a bundle identifier, such as \(example)"
            return "'\(excerpt)' is not an application identifier; \(advice)"
        }
        let bundleIdentifier = text[parts[1].startIndex...]
        if let characters = unusableCharacters(in: bundleIdentifier, besides: "-._") {
            let name = String(bundleIdentifier).safe(for: .excerpt)
            return "the bundle identifier '\(name)' cannot have \(characters); use letters, digits, '-', '_' and '.'"
        }
        return prefixError(parts[0], of: excerpt)
    }

    private static func prefixError(_ prefix: Substring, of excerpt: String) -> String? {
        if prefix.utf8.allSatisfy({ $0.isASCIILetter && $0 == $0.lowercasedASCII }) {
            return "'\(excerpt)' has no prefix: it is only a bundle identifier; write it as in ABCDE12345.\(excerpt)"
        }
        // The prefix of a template, such as "<TEAM_ID>", is a placeholder, whatever its characters.
        if prefix.contains(where: { "<>{}[]()$%".contains($0) }) { return nil }
        let name = String(prefix).safe(for: .excerpt)
        if let characters = unusableCharacters(in: prefix, besides: "-_") {
            return "the prefix '\(name)' cannot have \(characters); it has ten capital letters or digits"
        }
        guard prefix.utf8.count > prefixLength, isPrefix(prefix.prefix(prefixLength)),
            prefix.dropFirst(prefixLength).first.map({ "-_".contains($0) }) == true
        else { return nil }
        return "in '\(excerpt)' a period must follow the prefix \(prefix.prefix(prefixLength))"
    }

    private static func warning(about text: String) -> String? {
        let prefix = text.prefix { $0 != "." }
        guard !isPrefix(prefix) else { return nil }
        let name = String(prefix).safe(for: .excerpt)
        let advice = "write the prefix of the signed app"
        return "the prefix '\(name)' is not a team identifier, which has ten capital letters or digits; \(advice)"
    }

    private static let prefixLength = 10

    private static func isPrefix(_ text: Substring) -> Bool {
        text.utf8.count == prefixLength
            && text.utf8.allSatisfy { $0.isASCIIDigit || $0.isASCIILetter && $0 == $0.uppercasedASCII }
    }

    /// Returns the first characters that are neither letters, digits nor in `others`, as text; `nil` if there are none.
    private static func unusableCharacters(in text: Substring, besides others: String) -> String? {
        let characters = text.unicodeScalars.filter { scalar in
            !(UInt8(exactly: scalar.value).map { $0.isASCIIAlphanumeric || others.utf8.contains($0) } ?? false)
        }
        let characterNames = characters.prefix(5).map(\.nameForMessages)
        return characterNames.isEmpty ? nil : characterNames.joined(separator: ", ")
    }

    // MARK: - Correction

    /// Returns an identifier without blanks beside its periods and invisible characters, and with its prefix in capital
    /// letters and followed by a period.
    private static func corrected(_ text: String) -> String {
        let isBlank = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
        let visible = text.unicodeScalars.filter { isBlank($0) || !$0.isInvisible }
        var parts = String(String.UnicodeScalarView(visible))
            .split(separator: ".", omittingEmptySubsequences: false)
            .map { String($0).withoutBlanksAtEnds }
        // A period at the start means that the prefix is missing.
        guard let first = parts.first, !first.isEmpty else { return text }
        parts = [first] + Array(parts.dropFirst()).filter { !$0.isEmpty }
        let compact = first.filter { !$0.isWhitespace }
        let prefix = String(compact.prefix(prefixLength)).uppercased()
        guard isPrefix(prefix[...]) else { return parts.joined(separator: ".") }
        let hasDigit = prefix.utf8.contains(where: \.isASCIIDigit)
        if compact.count == prefixLength {
            // Ten lower-case letters may be the first part of a bundle identifier.
            parts[0] = hasDigit || compact == prefix ? prefix : compact
        } else {
            let rest = first.dropFirst(prefixLength)
            let separator = rest.prefix { !$0.isLetter && !$0.isNumber }
            guard first.hasPrefix(prefix), !separator.isEmpty, separator.count < rest.count else {
                return parts.joined(separator: ".")
            }
            parts[0] = "\(prefix).\(rest.dropFirst(separator.count))"
        }
        return parts.joined(separator: ".")
    }
}
