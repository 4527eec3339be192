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
        guard let name = givenAndFamilyName ?? nickname, !name.contains("@"), let first = Initial(of: name) else {
            return nil
        }
        guard !first.isEmoji, let script = NameScript(of: name) else { return first.text }
        if script == .alphabetic {
            return initials(of: name)
        }
        return isUndivided(name) ? first.text : eastAsianMonogram(script) ?? first.text
    }

    /// Returns whether the parts of the name cannot be distinguished.
    private func isUndivided(_ name: String) -> Bool {
        givenName == nil && familyName == nil || (givenName == nil || familyName == nil) && name.contains(" ")
    }

    private func initials(of name: String) -> String {
        let words = name.split(separator: " ").map(String.init)
        let parts = givenName.flatMap { givenName in familyName.map { [givenName, $0] } } ?? words
        let initials = parts.compactMap(Initial.init(of:)).filter { !$0.isEmoji }.map(\.text)
        return (initials.prefix(1) + initials.dropFirst().suffix(1)).joined()
    }

    /// The family name if it has one or two syllables; it is then shown whole.
    private var shortHangulFamilyName: String? {
        guard let familyName, familyName.count <= 2 else { return nil }
        return familyName.unicodeScalars.allSatisfy { NameScript($0) == .hangul } ? familyName : nil
    }

    private func eastAsianMonogram(_ script: NameScript) -> String? {
        let givenInitial = givenName.flatMap(Initial.init(of:))?.text
        let familyInitial = familyName.flatMap(Initial.init(of:))?.text
        return switch (script, language) {
        case (.kana, _), (.han, "ja"): givenInitial ?? familyInitial
        case (.han, "zh"): [familyInitial, givenInitial].compactMap(\.self).joined()
        case (.hangul, _): shortHangulFamilyName ?? familyInitial ?? givenInitial
        case (.han, _): familyInitial ?? givenInitial
        default: nil
        }
    }
}
