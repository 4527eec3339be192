public import WaypostSchema

/// What an avatar shows of a person.
public enum Monogram: Sendable, Hashable {
    /// One or two grapheme clusters: initials, a character of the name, an emoji.
    case letters(String)

    /// The outline of a person, for who is only known by a number or an address.
    case silhouette

    /// Creates the monogram of a person from their name: the given and family name, or else the nickname.
    ///
    /// The script of the name decides, not the language of the device (ours, after CLDR's monograms of person names):
    /// - Latin, Greek, Cyrillic, Armenian and Georgian: the initials of given and family name, or of the first and the last word.
    /// - Han: by the language of the card the given name's first character (Japanese), that of the family and that of the
    ///   given name (Chinese), or else the family name's.
    /// - Kana: the given name's first character. Hangul: the family name where it has two syllables at most.
    /// - Any other: one grapheme cluster. A name that begins with an emoji: the emoji.
    ///
    /// A name that begins with a digit or a symbol, or that is an address, is as good as none.
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

    /// Whether nothing says which part of the name is which.
    private func isOneString(_ shown: String) -> Bool {
        given == nil && family == nil || (given == nil || family == nil) && shown.contains(" ")
    }

    private func initials(of shown: String) -> String {
        let words = shown.split(separator: " ").map(String.init)
        let parts = given.flatMap { given in family.map { [given, $0] } } ?? words
        let initials = parts.compactMap(Initial.init(of:)).filter { !$0.isEmoji }.map(\.text)
        return (initials.prefix(1) + initials.dropFirst().suffix(1)).joined()
    }

    /// A family name of one or two syllables, which is shown whole.
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
