internal import WaypostSchema

/// Who a person is: their card, or else their handle in the form in which handles are compared.
///
/// In that form a number has no punctuation, and an address is in lower case.
enum PersonIdentity: Hashable, Comparable, Sendable {
    case handle(String)
    case card(ContactID)

    init(of person: Person) {
        self = person.contact.map { .card($0.id) } ?? .handle(Self.comparable(person.handle.rawValue))
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

    private static func comparable(_ handle: String) -> String {
        let isNumber = handle.unicodeScalars.allSatisfy { $0.isASCII && $0 != "@" && !$0.properties.isAlphabetic }
        return isNumber ? handle.filter { !" -.()/".contains($0) } : handle.lowercased()
    }

    /// Orders by the text; of the same text, a handle is before a card.
    static func < (left: Self, right: Self) -> Bool {
        left.text == right.text ? !left.hasCard && right.hasCard : left.text < right.text
    }
}
