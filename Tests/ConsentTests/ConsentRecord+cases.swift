import WaypostSchema

extension ConsentRecord {
    /// Returns a record that sharing was turned on or off.
    static func sharing(_ scope: SharingScope, isOn: Bool, at milliseconds: Int) -> Self {
        Self(kind: .sharing, scope: scope, isOn: isOn, at: Timestamp(milliseconds: milliseconds))
    }

    /// Returns a record that automatic sharing was turned on or off.
    static func automaticSharing(_ app: BundleIdentifier, isOn: Bool, at milliseconds: Int) -> Self {
        Self(kind: .automaticSharing, app: app, isOn: isOn, at: Timestamp(milliseconds: milliseconds))
    }

    /// Returns a record that a link was pinned.
    static func pin(_ conversation: ConversationID, _ message: MessageID, at milliseconds: Int) -> Self {
        Self(kind: .pin, conversation: conversation, message: message, at: Timestamp(milliseconds: milliseconds))
    }

    /// Returns a record that a link was removed.
    static func removal(at milliseconds: Int) -> Self {
        Self(kind: .removal, at: Timestamp(milliseconds: milliseconds))
    }
}
