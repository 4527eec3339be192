public import WaypostSchema

/// The content of a person's avatar.
public enum Monogram: Sendable, Hashable {
    /// One or two grapheme clusters: initials, a character of the name, or an emoji.
    case letters(String)

    /// The outline of a person, for someone known only by a phone number or an address.
    case silhouette

    /// Creates the monogram of a person from the given and family name, or else from the nickname.
    ///
    /// The script of the name decides, not the device's language (Waypost's own rule, modeled on CLDR's monograms):
    /// - Latin, Greek, Cyrillic, Armenian and Georgian: the initials of the given and family name, or of the first and
    ///   the last word.
    /// - Han: by the language of the contact card. Japanese: the first character of the given name. Chinese: the first
    ///   characters of the family name and the given name. Otherwise: the first character of the family name.
    /// - Kana: the first character of the given name.
    /// - Hangul: the family name if it has at most two syllables.
    /// - Any other script: one grapheme cluster.
    /// - A name that starts with an emoji: the emoji.
    ///
    /// A name that starts with a digit or a symbol, or that is an address, counts as no name.
    public init(of person: Person) {
        let letters = PersonName(of: person).monogram.map(PlainText.plain) ?? ""
        self = letters.isEmpty ? .silhouette : .letters(letters)
    }
}

extension PersonName {
    fileprivate var monogram: String? {
        guard let shown = whole ?? nickname, !shown.contains("@"), let first = Initial(of: shown) else { return nil }
        guard !first.isEmoji, let script = NameScript(of: shown) else { return first.text }
        if script == .alphabet {
            return initials(of: shown)
        }
        return isOneString(shown) ? first.text : eastAsianMonogram(script) ?? first.text
    }

    /// Returns whether the parts of the name cannot be distinguished.
    private func isOneString(_ shown: String) -> Bool {
        given == nil && family == nil || (given == nil || family == nil) && shown.contains(" ")
    }

    private func initials(of shown: String) -> String {
        let words = shown.split(separator: " ").map(String.init)
        let parts = given.flatMap { given in family.map { [given, $0] } } ?? words
        let initials = parts.compactMap(Initial.init(of:)).filter { !$0.isEmoji }.map(\.text)
        return (initials.prefix(1) + initials.dropFirst().suffix(1)).joined()
    }

    /// The family name if it has one or two syllables; it is then shown whole.
    private var shortHangulFamily: String? {
        guard let family, family.count <= 2 else { return nil }
        return family.unicodeScalars.allSatisfy { NameScript($0) == .hangul } ? family : nil
    }

    private func eastAsianMonogram(_ script: NameScript) -> String? {
        let givenInitial = given.flatMap(Initial.init(of:))?.text
        let familyInitial = family.flatMap(Initial.init(of:))?.text
        return switch (script, language) {
        case (.kana, _), (.han, "ja"): givenInitial ?? familyInitial
        case (.han, "zh"): [familyInitial, givenInitial].compactMap(\.self).joined()
        case (.hangul, _): shortHangulFamily ?? familyInitial ?? givenInitial
        case (.han, _): familyInitial ?? givenInitial
        default: nil
        }
    }
}
