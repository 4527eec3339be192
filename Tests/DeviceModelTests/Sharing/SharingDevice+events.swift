import WaypostSchema

extension SharingDevice {
    // MARK: Messages

    /// Receives a message; without a sender, the user sent it.
    @discardableResult
    mutating func receive(
        _ text: String,
        from sender: Handle? = .enrique,
        in conversation: ConversationID = .enrique,
        as id: MessageID? = nil,
        sentAt: Timestamp? = nil
    ) -> MessageID {
        let id = id ?? nextMessage()
        let message = Message(id: id, conversation: conversation, sender: sender, text: text, sentAt: sentAt)
        apply(.sharing(.messageReceived(message)))
        return id
    }

    /// Declares the participants of a conversation.
    mutating func converse(_ people: Handle..., in conversation: ConversationID = .group, name: String? = nil) {
        apply(.sharing(.conversationChanged(Conversation(id: conversation, name: name, participants: people))))
    }

    @discardableResult
    mutating func edit(_ message: MessageID, to text: String) -> [DeviceEffect] {
        apply(.sharing(.messageEdited(message, text: text)))
    }

    @discardableResult
    mutating func delete(_ message: MessageID) -> [DeviceEffect] {
        apply(.sharing(.messageDeleted(message)))
    }

    // MARK: The user's choices

    @discardableResult
    mutating func pin(_ message: MessageID, _ url: String? = nil) -> [DeviceEffect] {
        apply(.sharing(.linkPinned(message, url: url)))
    }

    @discardableResult
    mutating func unpin(_ message: MessageID, _ url: String? = nil) -> [DeviceEffect] {
        apply(.sharing(.linkUnpinned(message, url: url)))
    }

    mutating func shareAutomatically(with apps: BundleIdentifier..., isOn: Bool = true) {
        for app in apps { apply(.sharing(.automaticSharingSet(app, isOn: isOn))) }
    }

    @discardableResult
    mutating func turnOff(_ scope: SharingScope) -> [DeviceEffect] {
        apply(.sharing(.sharingSet(scope, isOn: false)))
    }

    @discardableResult
    mutating func turnOn(_ scope: SharingScope) -> [DeviceEffect] {
        apply(.sharing(.sharingSet(scope, isOn: true)))
    }

    // MARK: Apps and domains

    @discardableResult
    mutating func fetch(_ file: String, of domain: String) -> [DeviceEffect] {
        apply(.system(.associationChecked(domain: domain, source: "https://\(domain)", .success(Array(file.utf8)))))
    }

    @discardableResult
    mutating func fail(of domain: String) -> [DeviceEffect] {
        apply(.system(.associationChecked(domain: domain, source: "https://\(domain)", .failure(.example))))
    }

    /// Shows an attribution view in a window for some time.
    mutating func show(
        _ url: String,
        in app: BundleIdentifier = .tv,
        _ context: DisplayContext = .summary,
        milliseconds: Int = 2_000
    ) {
        apply(.attribution(.attributionAttached(app, "view", url: url, context)))
        // The next event is a second later anyway.
        pass(milliseconds - 1_000)
        apply(.attribution(.attributionDetached(app, "view")))
    }

    // MARK: Time

    @discardableResult
    mutating func advance(milliseconds: Int) -> [DeviceEffect] {
        pass(milliseconds - 1_000)
        return apply(.system(.timePassed))
    }

    @discardableResult
    mutating func advance(minutes: Int) -> [DeviceEffect] {
        advance(milliseconds: minutes * Timestamp.minute)
    }

    @discardableResult
    mutating func advance(days: Int) -> [DeviceEffect] {
        advance(milliseconds: days * Timestamp.day)
    }
}
