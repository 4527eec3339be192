/// A source that the system must conform to: one of the two talks, or Apple's documentation of notifications.
enum Talk: String, Decodable, CaseIterable, Sendable {
    case sharedWithYou = "shared-with-you"
    case targeting
    case notifications

    /// The first letter of the numbers of its sentences.
    var letter: String {
        switch self {
        case .sharedWithYou: "B"
        case .targeting: "T"
        case .notifications: "N"
        }
    }

    /// The title of the talk and its conference, or of the documentation.
    var title: String {
        switch self {
        case .sharedWithYou: "Add Shared with You to your app (WWDC22)"
        case .targeting: "Targeting Content with Multiple Windows (WWDC19)"
        case .notifications: "Notifications (User Notifications, ActivityKit, PushKit)"
        }
    }
}
