import WaypostSchema

extension Person {
    /// Returns somebody with a card.
    static func contact(_ given: String?, _ family: String?, language: String? = nil) -> Person {
        let handle = Handle(rawValue: "\(given ?? "")\(family ?? "")@example.com")
        let contact = Contact(
            id: ContactID(rawValue: "\(given ?? "")/\(family ?? "")"),
            givenName: given,
            familyName: family,
            language: language,
            handles: [handle]
        )
        return Person(handle: handle, contact: contact)
    }

    /// Returns somebody without a card.
    static func number(_ number: String) -> Person {
        Person(handle: Handle(rawValue: number))
    }

    static let friends = [
        contact("Enrique", "Navarro"), contact("Sarah", "Kim"), contact("Tomasz", "Wójcik"), contact("Ida", "Ågren"),
        contact("Wren", "Mayfield-Montgomery"),
    ]

    static let unknown = [number("+1 408 555 0100"), number("+1 408 555 0123")]

    /// Five people with names in the script of each language.
    static let byLanguage: [String: [Person]] = [
        "en": friends,
        "zh-Hans": [("伟", "王"), ("秀英", "李"), ("洋", "欧阳"), ("静", "张"), ("磊", "刘")]
            .map { contact($0, $1, language: "zh") },
        "ja": [("さくら", "田中"), ("健太", "佐藤"), ("アンナ", "鈴木"), ("翔", "高橋"), ("美咲", "伊藤")]
            .map { contact($0, $1, language: "ja") },
        "ko": [("서연", "김"), ("민준", "남궁"), ("지우", "박"), ("하은", "최"), ("도윤", "정")]
            .map { contact($0, $1, language: "ko") },
    ]
}

extension SharedLink {
    /// Returns a link that people shared in one conversation; the first person shared it last.
    static func shared(by people: [Person], isPinned: Bool = false, in name: String? = nil) -> SharedLink {
        let sharers = people.enumerated().map { index, person in
            Sharer(person: person, sharedAt: Timestamp(milliseconds: 1_000_000 - index))
        }
        let conversation = SharedConversation(id: "c1", name: name, participants: people, sharers: sharers)
        return SharedLink(
            url: "https://clown.example/shows/1",
            isPinned: isPinned,
            conversations: [conversation]
        )
    }
}
