import Consent
import WaypostSchema

// A person with two apps, two conversations and two links, in the words that the tests use.

let tv: BundleIdentifier = "com.example.tv"
let news: BundleIdentifier = "com.example.news"
let family: ConversationID = "family"
let friends: ConversationID = "friends"
let show: ContentKey = "https://tv.example/shows/1"
let film: ContentKey = "https://tv.example/films/2"

extension ChoiceMoment {
    /// The choice with a number, made as many seconds after time began.
    static func choice(_ number: Int) -> Self {
        Self(at: Timestamp(milliseconds: number * 1_000), number: number)
    }
}

extension ConsentQuestion {
    /// Whether the show that was shared in the family's conversation is available to the TV app.
    static let showFromFamily = Self(key: show, app: tv, conversation: family)
}

extension ConsentRules {
    /// The talk's "always" to the letter.
    static let always = Self(pinnedIsAlwaysAvailable: true)
}

extension ConsentChoices {
    /// A book in which `choices` were made.
    init(_ rules: ConsentRules = ConsentRules(), _ choices: (inout ConsentChoices) -> Void) {
        self.init(rules: rules)
        choices(&self)
    }
}
