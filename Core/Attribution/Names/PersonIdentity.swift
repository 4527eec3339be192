internal import WaypostSchema

/// The identity of a person: the contact card, or else the handle in its normalized form.
enum PersonIdentity: Hashable, Comparable, Sendable {
    case handle(String)
    case card(ContactID)

    init(of person: Person) {
        self = person.contact.map { .card($0.id) } ?? .handle(person.handle.comparable)
    }

    /// A text that stays the same as long as the person does.
    var text: String {
        switch self {
        case .handle(let handle): handle
        case .card(let card): card.rawValue
        }
    }

    private var hasCard: Bool {
        if case .card = self { true } else { false }
    }

    /// Orders by the text; if the texts are equal, a handle comes before a card.
    static func < (left: Self, right: Self) -> Bool {
        left.text == right.text ? !left.hasCard && right.hasCard : left.text < right.text
    }
}
