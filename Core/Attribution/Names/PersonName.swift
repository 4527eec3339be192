public import WaypostSchema

/// The name under which a person is shown: plain text.
public struct PersonName: Sendable, Equatable {
    /// The given name on the contact card; `nil` if there is none.
    let given: String?

    /// The family name on the contact card; `nil` if there is none.
    let family: String?

    /// The nickname on the contact card; `nil` if there is none.
    let nickname: String?

    /// The language of the name, such as `ja`, without script and region; `nil` if the card has none.
    let language: String?

    private let handle: String?

    /// Creates the name of a person from the contact card and the handle.
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

    /// The given and family name in the order of their script.
    ///
    /// In Han, kana and Hangul, the family name comes first and there is no space.
    var whole: String? {
        guard let given, let family else { return given ?? family }
        return NameScript(of: family + given)?.isEastAsian == true ? family + given : "\(given) \(family)"
    }

    /// Returns the informal name: the nickname, or else the given name.
    ///
    /// A name in Han, kana or Hangul is short enough to be used in full. A person without a name has the handle, and a
    /// person without a handle is an unknown sender.
    public func short(in language: AttributionLanguage) -> String {
        if let nickname { return nickname }
        let isEastAsian = whole.flatMap(NameScript.init(of:))?.isEastAsian == true
        return isEastAsian ? full(in: language) : given ?? full(in: language)
    }

    /// Returns the given and family name, or else the first available of the nickname, the handle and "Unknown Sender".
    public func full(in language: AttributionLanguage) -> String {
        whole ?? nickname ?? handle ?? Phrase.unknownPerson.text(in: language)
    }

    /// Returns the names of people who are shown together.
    ///
    /// The names are short, or full if another person has the same short name (Waypost's own rule). Two people may
    /// still have the same full name.
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
