internal import WaypostSchema

/// The identity of a person: the contact card, or else the handle in its normalized form.
enum PersonIdentity: Hashable, Sendable {
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
}
