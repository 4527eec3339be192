import WaypostSchema

/// The secrets of a run that only Messages and Contacts know: identifiers, names, handles and words.
struct SecretNames: Sendable {
    let people: [Contact]
    let strangers: [Handle]
    let conversations: [ConversationID]
    let groupName: String

    /// The prefix of the identifiers of messages.
    let messages: String

    /// Whether the identifiers of messages decrease.
    let isCountedDown: Bool

    /// The words around the links.
    let words: [String]

    /// Returns the text of a message with a link; `number` chooses the words around it.
    func text(_ number: Int, _ link: String) -> String {
        "\(words[number % 3]) \(link) \(words[3])"
    }

    /// Returns the identifier of the message with a number.
    func message(_ number: Int) -> MessageID {
        MessageID(rawValue: messages + String(isCountedDown ? 899 - number : 100 + number))
    }

    /// All values that one could sort by, each kind in the order of its appearance in a run.
    var identifiers: [[String]] {
        [
            people.map(\.id.rawValue), (people.flatMap(\.handles) + strangers).map(\.rawValue),
            conversations.map(\.rawValue), (1...99).map { message($0).rawValue },
        ]
    }

    init(
        people: [Contact],
        strangers: [Handle],
        conversations: [ConversationID],
        groupName: String,
        messages: String,
        isCountedDown: Bool,
        chatter: [String]
    ) {
        (self.people, self.strangers, self.conversations) = (people, strangers, conversations)
        (self.groupName, self.messages, self.isCountedDown) = (groupName, messages, isCountedDown)
        let names = people.flatMap { [$0.givenName, $0.familyName, $0.nickname].compactMap(\.self) }
        let handles = people.flatMap(\.handles) + strangers
        words =
            chatter + names + handles.map(\.rawValue) + people.map(\.id.rawValue)
            + conversations.map(\.rawValue) + [groupName, messages]
    }

    static let first = SecretNames(
        people: [
            Contact(
                id: "AB-CARD-1",
                givenName: "Enrique",
                familyName: "Zapata",
                nickname: "Quique",
                handles: ["+14085550101"]
            ),
            Contact(id: "AB-CARD-2", givenName: "Sarah", familyName: "Ortiz", handles: ["sarah@home.example"]),
        ],
        strangers: ["+14085550199"],
        conversations: ["CHAT-A", "CHAT-B", "CHAT-C"],
        groupName: "Grocery gang",
        messages: "MSG-0",
        isCountedDown: false,
        chatter: ["unmissable", "brilliant", "tonight", "hurry"]
    )

    /// Other names, each kind of which sorts in the opposite order.
    static let second = SecretNames(
        people: [
            Contact(
                id: "K2",
                givenName: "Božena",
                familyName: "Němcová",
                nickname: "Bo",
                handles: ["Z.Němcová@post.test"]
            ),
            Contact(id: "K1", givenName: "さくら", familyName: "田中", handles: ["+81 90 1234 5678"]),
        ],
        strangers: ["xyzzy@nowhere.test"],
        conversations: ["thread~3", "thread~2", "thread~1"],
        groupName: "Klub přátel",
        messages: "zpráva-",
        isCountedDown: true,
        chatter: ["podívej", "večer", "honem", "ahoj"]
    )
}
