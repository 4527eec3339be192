internal import WaypostSchema

/// Who a person is: their card, or else their handle in the form in which handles are compared.
enum PersonIdentity: Hashable, Comparable, Sendable {
    case handle(String)
    case card(ContactID)

    init(of person: Person) {
        self = person.contact.map { .card($0.id) } ?? .handle(person.handle.comparable)
    }

    /// What stays the same for as long as the person is the same.
    var text: String {
        switch self {
        case .handle(let handle): handle
        case .card(let card): card.rawValue
        }
    }

    private var hasCard: Bool {
        if case .card = self { true } else { false }
    }

    /// Orders by the text; of the same text, a handle is before a card.
    static func < (left: Self, right: Self) -> Bool {
        left.text == right.text ? !left.hasCard && right.hasCard : left.text < right.text
    }
}
