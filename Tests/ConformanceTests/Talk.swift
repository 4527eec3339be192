/// One of the two talks whose sentences the system is held to.
enum Talk: String, Decodable, CaseIterable, Sendable {
    case sharedWithYou = "shared-with-you"
    case targeting

    /// What the numbers of its sentences start with.
    var letter: String {
        switch self {
        case .sharedWithYou: "B"
        case .targeting: "T"
        }
    }

    /// What it is called, and where it was given.
    var title: String {
        switch self {
        case .sharedWithYou: "Add Shared with You to your app (WWDC22)"
        case .targeting: "Targeting Content with Multiple Windows (WWDC19)"
        }
    }
}
