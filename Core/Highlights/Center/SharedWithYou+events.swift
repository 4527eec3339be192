public import Consent
internal import HashTreeCollections
public import WaypostSchema

extension SharedWithYou {
    /// Applies an event of Messages, Contacts, or the user.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - moment: the number of the event among the device's events; its time counts as `clock`, the current time.
    /// - Returns: the effects of the event.
    /// - Throws: `IgnoredEvent` if the event changes nothing, for example because it refers to something that does not
    ///   exist.
    public mutating func apply(_ event: SharingEvent, at moment: EventMoment) throws(IgnoredEvent) -> [DeviceEffect] {
        let moment = EventMoment(at: clock, eventNumber: moment.eventNumber)
        return switch event {
        case .contactChanged(let contact): set(contact)
        case .contactRemoved(let contact): refresh(try messageStore.remove(contact))
        case .conversationChanged(let conversation): refresh(messageStore.set(conversation))
        case .conversationDeleted(let conversation): try delete(conversation)
        case .messageReceived(let message): refresh(try messageStore.receive(message, at: moment))
        case .messageEdited(let message, let text): try edit(message, text, at: moment)
        case .messageDeleted(let message): try delete(message)
        case .linkPinned(let message, let url): try pin(message, url, at: moment)
        case .linkUnpinned(let message, let url): try unpin(message, url)
        case .linkResolved(let url, let target): try resolve(url, to: target)
        case .linkRemoved(let url): try remove(url, at: moment)
        case .linkRestored(let url): try restore(url)
        case .sharingSet(let scope, let isOn): set(scope, isOn: isOn, at: moment)
        case .automaticSharingSet(let app, let isOn): setAutomaticSharing(of: app, isOn: isOn, at: moment)
        case .automaticSharingOfferAnswered(let app, let answer): try answerOffer(answer, for: app, at: moment)
        case .highlightInteracted(let app, let url): try changeFeedback(on: url, of: app) { $0.hasInteraction = true }
        case .contentFinished(let app, let url): try changeFeedback(on: url, of: app) { $0.isFinished = true }
        }
    }

    // MARK: Messages

    /// Adds or replaces a card in Contacts.
    public mutating func set(_ contact: Contact) -> [DeviceEffect] {
        refresh(messageStore.set(contact))
    }

    /// Sets the user's own handles, for earlier messages too.
    ///
    /// Messages from them are the user's, and they never count as participants who are contacts.
    public mutating func setOwnHandles(_ handles: [Handle]) -> [DeviceEffect] {
        refresh(messageStore.setOwnHandles(handles))
    }

    private mutating func edit(
        _ id: MessageID,
        _ text: String,
        at moment: EventMoment
    ) throws(IgnoredEvent) -> [DeviceEffect] {
        let previousKeys = messageStore.messages[id]?.links.map(\.content.key) ?? []
        let keys = try messageStore.edit(id, text: text, at: moment, editWindow: ranking.minimumAge)
        let remainingKeys = Set(messageStore.messages[id]?.links.map(\.content.key) ?? [])
        // A pin belongs to a link in a message and ends when the message loses the link.
        for key in previousKeys where !remainingKeys.contains(key) { consent.unpin(key, message: id) }
        return refresh(keys)
    }

    private mutating func delete(_ id: MessageID) throws(IgnoredEvent) -> [DeviceEffect] {
        let keys = try messageStore.delete(id)
        for key in keys { consent.unpin(key, message: id) }
        return refresh(keys)
    }

    private mutating func delete(_ id: ConversationID) throws(IgnoredEvent) -> [DeviceEffect] {
        let (messages, keys) = try messageStore.delete(id)
        let deletedMessages = Set(messages)
        for key in keys {
            for pin in consent.pins(of: key) where deletedMessages.contains(pin.message) {
                consent.unpin(key, message: pin.message)
            }
        }
        return refresh(keys)
    }

    private mutating func resolve(_ url: String, to target: String) throws(IgnoredEvent) -> [DeviceEffect] {
        let (previousKey, key) = try messageStore.resolve(url, to: target)
        consent.rekey(previousKey, to: key)
        for app in centers.keys { centers[app]?.rekey(previousKey, to: key) }
        return refresh([previousKey, key])
    }

    // MARK: The user's choices

    private mutating func pin(
        _ id: MessageID,
        _ url: String?,
        at moment: EventMoment
    ) throws(IgnoredEvent) -> [DeviceEffect] {
        guard let message = messageStore.messages[id] else { throw .unknown(id) }
        let links = links(of: message, url)
        guard !links.isEmpty else { throw .unknownLink(url, in: id) }
        let pins = links.map { link in
            (link, consent.pin(link.content.key, in: message.conversation, message: id, at: moment))
        }
        let updates = refresh(Set(links.map(\.content.key)))
        // A link that cannot surface (sent by the user, or in a conversation without a contact) triggers no offer.
        return updates
            + pins.filter { link, _ in canSurface(link, of: message) }.flatMap { link, pin in
                apps.filter { app in centers[app].map { isOffered(link.content.url, to: $0.app) } ?? false }
                    .map { consent.considerOffer(for: $0, after: pin) }
                    .map { DeviceEffect.sharing(.automaticSharingConsidered($0)) }
            }
    }

    /// Returns whether somebody else sent a link, in a conversation with a contact.
    func canSurface(_ link: StoredLink, of message: StoredMessage) -> Bool {
        !messageStore.isOwn(message) && isFromFriends(message.conversation, link.content.key)
    }

    private mutating func unpin(_ id: MessageID, _ url: String?) throws(IgnoredEvent) -> [DeviceEffect] {
        guard let message = messageStore.messages[id] else { throw .unknown(id) }
        let links = links(of: message, url)
        guard !links.isEmpty else { throw .unknownLink(url, in: id) }
        let unpinnedKeys = links.map(\.content.key).filter { consent.unpin($0, message: id) }
        guard !unpinnedKeys.isEmpty else { throw .notPinned(in: id) }
        return refresh(Set(unpinnedKeys))
    }

    /// Returns the links of a message that match a URL, or all its links if there is no URL.
    private func links(of message: StoredMessage, _ url: String?) -> [StoredLink] {
        guard let url else { return message.links }
        let key = messageStore.content(of: url)?.key
        return message.links.filter { $0.content.key == key }
    }

    private mutating func remove(_ url: String, at moment: EventMoment) throws(IgnoredEvent) -> [DeviceEffect] {
        guard let key = messageStore.content(of: url)?.key else { throw .notAWebURL(url) }
        consent.remove(key, at: moment)
        return refresh([key])
    }

    private mutating func restore(_ url: String) throws(IgnoredEvent) -> [DeviceEffect] {
        guard let key = messageStore.content(of: url)?.key else { throw .notAWebURL(url) }
        guard consent.restore(key) else { throw .notRemoved(url) }
        return refresh([key])
    }

    private mutating func set(_ scope: SharingScope, isOn: Bool, at moment: EventMoment) -> [DeviceEffect] {
        consent.setSharing(scope, isOn: isOn, at: moment)
        return switch scope {
        case .everywhere: centers.keys.sorted { $0.rawValue < $1.rawValue }.flatMap { refreshAll(of: $0) }
        case .app(let app): refreshAll(of: app)
        case .conversation(let conversation): refresh(messageStore.keys(of: conversation))
        }
    }

    private mutating func setAutomaticSharing(
        of app: BundleIdentifier,
        isOn: Bool,
        at moment: EventMoment
    ) -> [DeviceEffect] {
        let hadOffer = isOn && consent.appsWithOpenOffers.contains(app)
        consent.setAutomaticSharing(of: app, isOn: isOn, at: moment)
        let updates = refreshAll(of: app)
        // Turning it on closes the offer.
        guard hadOffer else { return updates }
        return updates + [.sharing(.automaticSharingConsidered(consent.offerStanding(for: app, at: clock)))]
    }

    private mutating func answerOffer(
        _ answer: OfferAnswer,
        for app: BundleIdentifier,
        at moment: EventMoment
    ) throws(IgnoredEvent) -> [DeviceEffect] {
        guard consent.answerOffer(answer, for: app, at: moment) else { throw .noOpenOffer(app) }
        return answer == .accepted ? refreshAll(of: app) : []
    }

    mutating func refreshAll(of app: BundleIdentifier) -> [DeviceEffect] {
        guard let center = centers[app] else { return [] }
        return refresh(keys(for: center.app), in: [app])
    }
}
