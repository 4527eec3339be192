import Consent
import WaypostSchema

// A user with two apps, two conversations and two links, and short methods for the tests.

let tv: BundleIdentifier = "com.example.tv"
let news: BundleIdentifier = "com.example.news"
let family: ConversationID = "family"
let friends: ConversationID = "friends"
let show: ContentKey = "https://tv.example/shows/1"
let film: ContentKey = "https://tv.example/films/2"

extension EventMoment {
    /// Returns the choice with a number, as many seconds after the epoch.
    static func choice(_ number: Int) -> Self {
        Self(at: Timestamp(milliseconds: number * 1_000), eventNumber: number)
    }
}

extension ConsentQuestion {
    /// The question whether the show from the family's conversation is available to the TV app.
    static let showFromFamily = Self(key: show, app: tv, conversation: family)
}

extension ConsentRules {
    /// The rules of the stricter reading: of a pin and an *off*, the later one wins.
    static let latestChoice = Self(pinnedIsAlwaysAvailable: false)
}

extension ConsentChoices {
    /// Creates a state with `choices`.
    init(_ rules: ConsentRules = ConsentRules(), _ choices: (inout ConsentChoices) -> Void) {
        self.init(rules: rules)
        choices(&self)
    }
}
