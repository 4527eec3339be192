public import WaypostSchema

/// What a person is called where they are shown: plain text.
public struct PersonName: Sendable, Equatable {
    /// The given name on their card, where it says one.
    let given: String?

    /// The family name on their card, where it says one.
    let family: String?

    /// The nickname on their card, where it says one.
    let nickname: String?

    /// The language of the name, such as `ja`, without script and region; `nil` where the card does not say.
    let language: String?

    private let handle: String?

    /// Creates the name of a person from their card and their handle.
    public init(of person: Person) {
        let contact = person.contact
        given = Self.text(contact?.givenName)
        family = Self.text(contact?.familyName)
        nickname = Self.text(contact?.nickname)
        language = contact?.language?.lowercased().split { $0 == "-" || $0 == "_" }.first.map(String.init)
        handle = Self.text(person.handle.rawValue)
    }

    private static func text(_ part: String?) -> String? {
        part.map(PlainText.plain).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Given and family name in the order of their script: the family first and no space where it is Han, kana or Hangul.
    var whole: String? {
        guard let given, let family else { return given ?? family }
        return NameScript(of: family + given)?.isEastAsian == true ? family + given : "\(given) \(family)"
    }

    /// Returns the name among friends: the nickname, or else the given name.
    ///
    /// A name in Han, kana or Hangul is short as a whole. Who has no name has the handle, and who has none the word for
    /// somebody unknown.
    public func short(in language: AttributionLanguage) -> String {
        if let nickname { return nickname }
        let isEastAsian = whole.flatMap(NameScript.init(of:))?.isEastAsian == true
        return isEastAsian ? full(in: language) : given ?? full(in: language)
    }

    /// Returns the given and the family name, or else what there is: the nickname, the handle, the word for somebody unknown.
    public func full(in language: AttributionLanguage) -> String {
        whole ?? nickname ?? handle ?? Phrase.unknownPerson.text(in: language)
    }

    /// Returns the names of people who are shown together.
    ///
    /// They are short, but full where another has the same short one (ours). Two people may still have the same full name.
    public static func names(of people: [Person], in language: AttributionLanguage) -> [String] {
        let names = people.map(Self.init(of:))
        var bearers: [String: Int] = [:]
        for name in names {
            bearers[name.short(in: language), default: 0] += 1
        }
        return names.map { name in
            let short = name.short(in: language)
            return bearers[short] == 1 ? short : name.full(in: language)
        }
    }
}
