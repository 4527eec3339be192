internal import WaypostSchema

/// The result of a tap on an attribution view or in a disambiguation menu.
public struct Tapped: Sendable, Equatable {
    /// The title of the conversation that is shown, or `nil` if the user has to choose one.
    public let conversation: String?

    /// The titles of the conversations among which the user has to choose.
    public let choices: [String]

    init(_ answer: StepChannel.Answer) {
        let actual = answer.actual ?? .null
        conversation = actual["conversation"]?.string
        guard case .array(let titles)? = actual["choices"] else {
            choices = []
            return
        }
        choices = titles.compactMap(\.string)
    }
}
