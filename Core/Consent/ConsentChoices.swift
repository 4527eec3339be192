internal import HashTreeCollections
public import WaypostSchema

/// A person's choices about what is shared from Messages with apps, and what follows from them.
///
/// It is a value: a copy is cheap, and what is done to one is not done to the other. Choices are entered in the order in
/// which they were made, which the numbers of their moments tell.
public struct ConsentChoices: Sendable, Equatable, Codable {
    /// What the installation decides.
    public var rules: ConsentRules

    var sharing = SharingChoices()
    var automatic: TreeDictionary<BundleIdentifier, AutomaticSharing> = [:]
    var removals: TreeDictionary<ContentKey, ChoiceMoment> = [:]
    var pinned = PinTable()
    var offers = SharingOffers()

    /// Creates a book in which nothing was chosen.
    ///
    /// - Parameter rules: what the installation decides.
    public init(rules: ConsentRules = ConsentRules()) {
        self.rules = rules
    }

    /// Turns sharing on or off, everywhere, for an app or for a conversation.
    ///
    /// Turning it on again is the same as never having turned it off.
    ///
    /// - Parameters:
    ///   - scope: what it is turned on or off for.
    ///   - isOn: whether it is turned on.
    ///   - moment: when.
    public mutating func setSharing(_ scope: SharingScope, isOn: Bool, at moment: ChoiceMoment) {
        sharing.set(scope, offSince: isOn ? nil : moment)
    }

    /// Turns automatic sharing with an app on or off; turning it on closes an offer to do so.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - isOn: whether it is turned on.
    ///   - moment: when.
    public mutating func setAutomaticSharing(of app: BundleIdentifier, isOn: Bool, at moment: ChoiceMoment) {
        automatic[app] = AutomaticSharing(isOn: isOn, moment: moment)
        if isOn { offers.close(app) }
    }

    /// Pins a link; pinning it again in the same message is a repetition, of which the later moment counts.
    ///
    /// - Parameters:
    ///   - key: what the link is about.
    ///   - conversation: the conversation of the message.
    ///   - message: the message that the link is in.
    ///   - moment: when.
    /// - Returns: what `offer(for:after:)` is asked with.
    @discardableResult
    public mutating func pin(
        _ key: ContentKey,
        in conversation: ConversationID,
        message: MessageID,
        at moment: ChoiceMoment
    ) -> PinOccasion {
        let isNew = pinned.insert(Pin(conversation: conversation, message: message, moment: moment), of: key)
        return PinOccasion(key: key, message: message, moment: moment, isNew: isNew)
    }

    /// Takes a pin away: the person did, or the message is gone, or the link is no longer in it.
    ///
    /// - Parameters:
    ///   - key: what the link is about.
    ///   - message: the message that it is or was in.
    /// - Returns: whether it was pinned.
    @discardableResult
    public mutating func unpin(_ key: ContentKey, message: MessageID) -> Bool {
        pinned.remove(key, message: message)
    }

    /// Removes a link, for all apps: the person's *Remove*.
    ///
    /// - Parameters:
    ///   - key: what the link is about.
    ///   - moment: when.
    public mutating func remove(_ key: ContentKey, at moment: ChoiceMoment) {
        removals[key] = moment
    }

    /// Undoes the removal of a link.
    ///
    /// - Parameter key: what the link is about.
    /// - Returns: whether it was removed.
    @discardableResult
    public mutating func restore(_ key: ContentKey) -> Bool {
        removals.removeValue(forKey: key) != nil
    }

    /// Moves pins and removal from one key to another: it turned out, as for a short link, what a link is about.
    ///
    /// Where both keys have a removal the later one stays, and of two pins of a message the later one.
    ///
    /// - Parameters:
    ///   - old: the key that is not used any more.
    ///   - new: the key that takes its place.
    public mutating func rekey(_ old: ContentKey, to new: ContentKey) {
        pinned.rekey(old, to: new)
        offers.rekey(old, to: new)
        if let moved = removals.removeValue(forKey: old) {
            removals[new] = removals[new].map { max($0, moved) } ?? moved
        }
    }

    /// Returns whether the person turned sharing off, whatever was pinned since.
    ///
    /// - Parameter scope: everywhere, for an app or for a conversation.
    /// - Returns: whether it is off there; that it is off in a wider scope is not asked.
    public func isOff(_ scope: SharingScope) -> Bool {
        switch scope {
        case .everywhere: sharing.offEverywhere != nil
        case .app(let app): sharing.off(app) != nil
        case .conversation(let conversation): sharing.off(conversation) != nil
        }
    }

    /// Returns whether automatic sharing with an app is on.
    ///
    /// - Parameter app: the app.
    /// - Returns: whether it is on, whatever else is off.
    public func isAutomatic(_ app: BundleIdentifier) -> Bool {
        automatic[app]?.isOn == true
    }

    /// Returns the pins of a link.
    ///
    /// - Parameter key: what the link is about.
    /// - Returns: its pins, from the earliest to the latest.
    public func pins(of key: ContentKey) -> [Pin] {
        pinned[key]
    }
}
