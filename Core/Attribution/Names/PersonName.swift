public import WaypostSchema

/// The name under which a person is shown: plain text.
public struct PersonName: Sendable, Equatable {
    /// The given name on the contact card; `nil` if there is none.
    let givenName: String?

    /// The family name on the contact card; `nil` if there is none.
    let familyName: String?

    /// The nickname on the contact card; `nil` if there is none.
    let nickname: String?

    /// The language of the name, such as `ja`, without script and region; `nil` if the card has none.
    let language: String?

    private let handle: String?

    /// Creates the name of a person from the contact card and the handle.
    public init(of person: Person) {
        let contact = person.contact
        givenName = Self.plainText(contact?.givenName)
        familyName = Self.plainText(contact?.familyName)
        nickname = Self.plainText(contact?.nickname)
        language = contact?.language?.lowercased().split { $0 == "-" || $0 == "_" }.first.map(String.init)
        handle = Self.plainText(person.handle.rawValue)
    }

    private static func plainText(_ part: String?) -> String? {
        part.map(PlainText.plain).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The given and family name in the order of their script.
    ///
    /// In Han, kana and Hangul, the family name comes first and there is no space.
    var givenAndFamilyName: String? {
        guard let givenName, let familyName else { return givenName ?? familyName }
        let isEastAsian = NameScript(of: familyName + givenName)?.isEastAsian == true
        return isEastAsian ? familyName + givenName : "\(givenName) \(familyName)"
    }

    /// Returns the informal name: the nickname, or else the given name.
    ///
    /// A name in Han, kana or Hangul is short enough to be used in full. A person without a name has the handle, and a
    /// person without a handle is an unknown sender.
    public func shortName(in language: AttributionLanguage) -> String {
        if let nickname { return nickname }
        let isEastAsian = givenAndFamilyName.flatMap(NameScript.init(of:))?.isEastAsian == true
        return isEastAsian ? fullName(in: language) : givenName ?? fullName(in: language)
    }

    /// Returns the given and family name, or else the first available of the nickname, the handle and "Unknown Sender".
    public func fullName(in language: AttributionLanguage) -> String {
        givenAndFamilyName ?? nickname ?? handle ?? Phrase.unknownPerson.text(in: language)
    }

    /// Returns the names of people who are shown together.
    ///
    /// The names are short, or full if another person has the same short name (Waypost's own rule). Two people may
    /// still have the same full name.
    public static func names(of people: [Person], in language: AttributionLanguage) -> [String] {
        let names = people.map(Self.init(of:))
        var counts: [String: Int] = [:]
        for name in names {
            counts[name.shortName(in: language), default: 0] += 1
        }
        return names.map { name in
            let shortName = name.shortName(in: language)
            return counts[shortName] == 1 ? shortName : name.fullName(in: language)
        }
    }
}
