internal import Attribution
internal import Highlights
internal import TextBasics
internal import WaypostSchema

/// The sender of a communication notification, as the device recognizes them.
struct NotificationSender {
    /// The sender's card in Contacts; `nil` if none matches.
    let contact: Contact?

    /// The sender as the app's service extension names them.
    private let sender: CommunicationSender

    private let language: AttributionLanguage

    /// Matches a sender with Contacts: by the identifier of the card, or else by the phone number or email address.
    ///
    /// - Parameters:
    ///   - sender: the sender.
    ///   - sharing: the contents of Contacts.
    ///   - language: the language of the name of an unknown sender.
    init(_ sender: CommunicationSender, in sharing: SharedWithYou, language: AttributionLanguage) {
        self.sender = sender
        self.language = language
        let card = sender.contact.flatMap { sharing.contact(ContactID(rawValue: $0)) }
        contact = card ?? sender.address.flatMap { sharing.contact(for: $0) }
    }

    private var person: Person {
        let handle = Handle(rawValue: sender.handle ?? contact?.handles.first?.rawValue ?? "")
        // Without a card, the app's name for the sender is drawn as that of a card.
        let namedCard = sender.name.map { name in
            Contact(id: ContactID(rawValue: sender.handle ?? name), givenName: name, handles: [])
        }
        return Person(handle: handle, contact: contact ?? namedCard)
    }

    /// The name: that of the card, or else the app's name for the sender, or else the handle.
    var name: String {
        PersonName(of: person).fullName(in: language)
    }

    /// The sender with the avatar, as attribution views draw people.
    var shownPerson: ShownPerson {
        ShownPerson(person, named: name)
    }

    /// Returns whether a Focus lists the sender: by the identifier of the card, or by a phone number or email address.
    func isAllowed(by focus: Focus) -> Bool {
        let addresses = Set(((contact?.handles ?? []) + [sender.address].compactMap(\.self)).map(\.normalized))
        return (focus.allowedPeople ?? []).contains { person in
            person == contact?.id.rawValue || addresses.contains(Handle(rawValue: person).normalized)
        }
    }

    /// The end of a sentence about a sender without a card; empty if there is one.
    var noteWithoutCard: String {
        guard contact == nil else { return "" }
        guard let handle = sender.handle, sender.address == nil else { return ", who is not in Contacts" }
        return ", whose handle '\(handle.safe(for: .excerpt))' is neither a phone number nor an email address"
    }
}

extension CommunicationSender {
    /// Whether nothing names the sender.
    var isEmpty: Bool {
        [name, handle, contact].allSatisfy { $0?.isEmpty != false }
    }

    /// The handle if it can match a card.
    fileprivate var address: Handle? {
        let address = handle.map(Handle.init(rawValue:))
        return address?.isPhoneNumberOrEmailAddress == true ? address : nil
    }
}
