/// One of the two talks that the system must conform to.
enum Talk: String, Decodable, CaseIterable, Sendable {
    case sharedWithYou = "shared-with-you"
    case targeting

    /// The first letter of the numbers of its sentences.
    var letter: String {
        switch self {
        case .sharedWithYou: "B"
        case .targeting: "T"
        }
    }

    /// The title of the talk and its conference.
    var title: String {
        switch self {
        case .sharedWithYou: "Add Shared with You to your app (WWDC22)"
        case .targeting: "Targeting Content with Multiple Windows (WWDC19)"
        }
    }
}
