/// A menu or a question as the device draws it over an app: a title, a message and rows to choose from.
public struct MenuCard: Sendable, Equatable {
    /// A row to choose.
    public struct Row: Sendable, Equatable {
        /// What choosing it does.
        public enum Kind: Sendable, Hashable {
            /// Something that can be undone.
            case action

            /// Something that takes content away.
            case destructive

            /// Nothing: the card goes.
            case cancel
        }

        /// Its title: on one line, never empty.
        public let title: String

        /// What choosing it does.
        public let kind: Kind

        /// Creates the value from its parts.
        public init(title: String, kind: Kind) {
            self.title = title
            self.kind = kind
        }
    }

    /// What the card asks; `nil` where the rows say it all.
    public let title: String?

    /// What there is to know before choosing.
    public let message: String?

    /// The rows, with a separator between each two sections; no section is empty.
    public let sections: [[Row]]

    /// Creates the value from its parts.
    ///
    /// - Parameters:
    ///   - title: what the card asks.
    ///   - message: what there is to know before choosing.
    ///   - sections: the rows.
    public init(title: String? = nil, message: String? = nil, sections: [[Row]]) {
        self.title = title
        self.message = message
        self.sections = sections
    }
}
