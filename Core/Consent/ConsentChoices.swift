internal import HashTreeCollections
public import WaypostSchema

/// The user's choices about sharing links from Messages with apps.
///
/// It is a value type: copies are cheap and independent. Record choices in the order in which they were made, which is
/// the order of the numbers of their moments.
public struct ConsentChoices: Sendable, Equatable, Codable {
    /// The rules of the installation.
    public var rules: ConsentRules

    var sharing = SharingChoices()
    var automatic: TreeDictionary<BundleIdentifier, AutomaticSharing> = [:]
    var removals: TreeDictionary<ContentKey, EventMoment> = [:]
    var pinned = PinTable()
    var offers: TreeDictionary<BundleIdentifier, OfferHistory> = [:]

    /// Creates a value without any choices.
    ///
    /// - Parameter rules: the rules of the installation.
    public init(rules: ConsentRules = ConsentRules()) {
        self.rules = rules
    }

    /// Turns sharing on or off: everywhere, for an app or for a conversation.
    ///
    /// After sharing is turned on again, it is as if it had never been off.
    ///
    /// - Parameters:
    ///   - scope: the scope of the choice.
    ///   - isOn: whether sharing is turned on.
    ///   - moment: the time of the choice.
    public mutating func setSharing(_ scope: SharingScope, isOn: Bool, at moment: EventMoment) {
        sharing.set(scope, offSince: isOn ? nil : moment)
    }

    /// Turns automatic sharing with an app on or off; turning it on closes an open offer for the app.
    ///
    /// Turning it on while it is on changes nothing, so that the links since the first time stay available.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - isOn: whether automatic sharing is turned on.
    ///   - moment: the time of the choice.
    public mutating func setAutomaticSharing(of app: BundleIdentifier, isOn: Bool, at moment: EventMoment) {
        if !isOn || automatic[app]?.isOn != true { automatic[app] = AutomaticSharing(isOn: isOn, moment: moment) }
        if isOn { offers[app]?.close() }
    }

    /// Pins a link; if it is already pinned in the same message, the later moment counts.
    ///
    /// - Parameters:
    ///   - key: the content key of the link.
    ///   - conversation: the conversation of the message.
    ///   - message: the message that contains the link.
    ///   - moment: the time of the choice.
    /// - Returns: the argument for `considerOffer(for:after:)`.
    @discardableResult
    public mutating func pin(
        _ key: ContentKey,
        in conversation: ConversationID,
        message: MessageID,
        at moment: EventMoment
    ) -> PinResult {
        let isNew = pinned.insert(Pin(conversation: conversation, message: message, moment: moment), of: key)
        return PinResult(key: key, message: message, moment: moment, isNew: isNew)
    }

    /// Removes a pin, because the user unpinned the link, or because the message was deleted or lost the link.
    ///
    /// - Parameters:
    ///   - key: the content key of the link.
    ///   - message: the message that contains or contained the link.
    /// - Returns: whether the link was pinned in the message.
    @discardableResult
    public mutating func unpin(_ key: ContentKey, message: MessageID) -> Bool {
        pinned.remove(key, message: message)
    }

    /// Removes a link for all apps (the user's *Remove*).
    ///
    /// - Parameters:
    ///   - key: the content key of the link.
    ///   - moment: the time of the choice.
    public mutating func remove(_ key: ContentKey, at moment: EventMoment) {
        removals[key] = moment
    }

    /// Undoes the removal of a link.
    ///
    /// - Parameter key: the content key of the link.
    /// - Returns: whether the link was removed.
    @discardableResult
    public mutating func restore(_ key: ContentKey) -> Bool {
        removals.removeValue(forKey: key) != nil
    }

    /// Moves pins and a removal from one key to another, for example when a short link is resolved.
    ///
    /// If both keys have a removal, or both have a pin in the same message, the later one is kept.
    ///
    /// - Parameters:
    ///   - old: the key that is no longer used.
    ///   - new: the key that replaces it.
    public mutating func rekey(_ old: ContentKey, to new: ContentKey) {
        pinned.rekey(old, to: new)
        offers = offers.mapValues { $0.rekeyed(old, to: new) }
        if let movedRemoval = removals.removeValue(forKey: old) {
            removals[new] = removals[new].map { max($0, movedRemoval) } ?? movedRemoval
        }
    }

    /// Returns whether the user turned sharing off, regardless of later pins.
    ///
    /// - Parameter scope: everywhere, an app or a conversation.
    /// - Returns: whether sharing is off for exactly this scope; wider scopes are not considered.
    public func isOff(_ scope: SharingScope) -> Bool {
        switch scope {
        case .everywhere: sharing.offEverywhere != nil
        case .app(let app): sharing.offApps[app] != nil
        case .conversation(let conversation): sharing.offConversations[conversation] != nil
        }
    }

    /// The choices about sharing that differ from the state at the start, sorted by identifier.
    public var settings: SharingSettings {
        var offScopes: [SharingScope] = sharing.offEverywhere == nil ? [] : [.everywhere]
        offScopes += sharing.offApps.keys.sorted { $0.rawValue < $1.rawValue }.map { .app($0) }
        offScopes += sharing.offConversations.keys.sorted { $0.rawValue < $1.rawValue }.map { .conversation($0) }
        let apps = automatic.keys.filter(isAutomatic).sorted { $0.rawValue < $1.rawValue }
        return SharingSettings(off: offScopes, automatic: apps)
    }

    /// Returns whether automatic sharing with an app is on.
    ///
    /// - Parameter app: the app.
    /// - Returns: whether it is on, regardless of what else is off.
    public func isAutomatic(_ app: BundleIdentifier) -> Bool {
        automatic[app]?.isOn == true
    }

    /// Returns the pins of a link.
    ///
    /// - Parameter key: the content key of the link.
    /// - Returns: its pins, the earliest first.
    public func pins(of key: ContentKey) -> [Pin] {
        pinned[key]
    }
}
