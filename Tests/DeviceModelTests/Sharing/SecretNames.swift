import WaypostSchema

/// What only Messages and Contacts know in a run: identifiers, names, handles and words.
struct SecretNames: Sendable {
    let people: [Contact]
    let strangers: [Handle]
    let conversations: [ConversationID]
    let groupName: String

    /// What the identifiers of messages begin with.
    let messages: String

    /// What stands around the links.
    let words: [String]

    /// The text of a message with a link; `number` chooses the words around it.
    func text(_ number: Int, _ link: String) -> String {
        "\(words[number % 3]) \(link) \(words[3])"
    }

    init(
        people: [Contact],
        strangers: [Handle],
        conversations: [ConversationID],
        groupName: String,
        messages: String,
        chatter: [String]
    ) {
        (self.people, self.strangers, self.conversations) = (people, strangers, conversations)
        (self.groupName, self.messages) = (groupName, messages)
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
        chatter: ["unmissable", "brilliant", "tonight", "hurry"]
    )

    static let second = SecretNames(
        people: [
            Contact(
                id: "K1",
                givenName: "Božena",
                familyName: "Němcová",
                nickname: "Bo",
                handles: ["+420 777 123 456"]
            ),
            Contact(id: "K2", givenName: "さくら", familyName: "田中", handles: ["sakura@work.test"]),
        ],
        strangers: ["xyzzy@nowhere.test"],
        conversations: ["thread~1", "thread~2", "thread~3"],
        groupName: "Klub přátel",
        messages: "zpráva-",
        chatter: ["podívej", "večer", "honem", "ahoj"]
    )
}
