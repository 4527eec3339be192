internal import WaypostSchema

/// The identity of a person: the contact card, or else the handle in its normalized form.
enum PersonIdentity: Hashable, Comparable, Sendable {
    case handle(String)
    case card(ContactID)

    init(of person: Person) {
        self = person.contact.map { .card($0.id) } ?? .handle(person.handle.normalized)
    }

    /// A string that is the same for all values of a person.
    var string: String {
        switch self {
        case .handle(let handle): handle
        case .card(let card): card.rawValue
        }
    }

    private var hasCard: Bool {
        if case .card = self { true } else { false }
    }

    /// Orders by the string; of equal strings, that of a handle comes before that of a card.
    static func < (left: Self, right: Self) -> Bool {
        left.string == right.string ? !left.hasCard && right.hasCard : left.string < right.string
    }
}
