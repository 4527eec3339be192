package import WaypostSchema

extension TokenPurpose.Kind {
    /// The rules for the name of a token.
    package enum NameRule: Sendable {
        /// An app has one token of the kind, without a name.
        case absent

        /// An app has one token of the kind, or one for each name.
        case optional

        /// An app has a token of the kind for each name.
        case required
    }

    /// The rule for the name.
    ///
    /// A token for starts is one for each type of Live Activities by Apple's text, and one for the app in reports
    /// (`TokenContract`), so its name is optional.
    package var nameRule: NameRule {
        switch self {
        case .pushToTalk, .liveActivity, .control: .required
        case .pushToStart: .optional
        case .app, .voip, .location, .fileProvider, .complication, .widgets: .absent
        }
    }
}

extension TokenPurpose {
    /// The maximum length of a name in bytes.
    package static let maximumNameLength = 256

    /// A sentence about a name that the token cannot have, or that it lacks; `nil` if the name is usable.
    package var nameProblem: String? {
        let title = "a token of the kind '\(kind.rawValue)'"
        guard let name else { return kind.nameRule == .required ? "\(title) needs \(Self.usableName)" : nil }
        guard kind.nameRule != .absent else { return "\(title) has no name" }
        let isUsable = (1...Self.maximumNameLength).contains(name.utf8.count)
        return isUsable ? nil : "\(title) \(kind.nameRule == .required ? "needs" : "may have") \(Self.usableName)"
    }

    private static let usableName = "a name of 1 to \(maximumNameLength) bytes"
}
