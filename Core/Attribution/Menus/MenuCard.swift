/// A menu or a question that the device draws over an app: a title, a message and rows to choose from.
public struct MenuCard: Sendable, Equatable {
    /// A row that the user can choose.
    public struct Row: Sendable, Equatable {
        /// The effect of choosing a row.
        public enum Kind: Sendable, Hashable {
            /// An action that can be undone.
            case action

            /// An action that removes content.
            case destructive

            /// No action: the card closes.
            case cancel
        }

        /// The title: plain text on one line, never empty.
        public let title: String

        /// The effect of choosing the row.
        public let kind: Kind

        /// The people whose avatars are beside the title; none for an action.
        public let people: [ShownPerson]

        /// Creates the value from its parts.
        public init(title: String, kind: Kind, people: [ShownPerson] = []) {
            self.title = title
            self.kind = kind
            self.people = people
        }
    }

    /// The question; `nil` if the rows need none.
    public let title: String?

    /// The information that the user needs before choosing.
    public let message: String?

    /// The rows by section, to be drawn with a separator between sections; no section is empty.
    public let sections: [[Row]]

    /// Creates the value from its parts.
    ///
    /// - Parameters:
    ///   - title: the question.
    ///   - message: the information that the user needs before choosing.
    ///   - sections: the rows.
    public init(title: String? = nil, message: String? = nil, sections: [[Row]]) {
        self.title = title
        self.message = message
        self.sections = sections
    }
}
