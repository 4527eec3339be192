import WaypostSchema

extension NaiveDevice {
    /// Applies an event; returns whether its subject exists.
    mutating func take(_ event: DeviceEvent) -> Bool {
        number += 1
        switch event {
        case .system(.deviceDescribed(let device)): describe(device)
        case .system(.appInstalled(let app)): install(app)
        case .system(.appRemoved(let app)): return apps.removeValue(forKey: app) != nil
        case .system(.associationChecked(let domain, _, _, let result)): check(domain, result)
        case .sharing(.contactChanged(let contact)): contacts[contact.id] = Set(contact.handles.map(plainHandle))
        case .sharing(.contactRemoved(let contact)): return contacts.removeValue(forKey: contact) != nil
        case .sharing(.conversationChanged(let conversation)):
            known.insert(conversation.id)
            declared[conversation.id] = conversation.participants.map(plainHandle)
        case .sharing(.conversationDeleted(let conversation)): return delete(conversation)
        case .sharing(.messageReceived(let message)): return receive(message)
        case .sharing(.messageEdited(let message, let text)): return edit(message, text)
        case .sharing(.messageDeleted(let message)): return delete(message)
        default: return choose(event)
        }
        return true
    }

    private mutating func describe(_ device: DeviceDescription) {
        isAlways = device.pinnedIsAlwaysAvailable
        own = Set(([device.handle].compactMap(\.self) + (device.handles ?? [])).map(plainHandle))
        let described = Set(device.apps.map(\.bundleIdentifier))
        apps = apps.filter { described.contains($0.key) }
        for app in device.apps { install(app) }
    }

    private mutating func install(_ app: AppDescription) {
        apps[app.bundleIdentifier, default: AppFacts(description: app)].description = app
    }

    private mutating func check(_ domain: String, _ result: Result<[UInt8], AssociationFailure>) {
        asked.insert(domain)
        guard case .success(let bytes) = result else { return }
        let file = SampleFile.allCases.first { Array($0.text.utf8) == bytes }
        if let file, file != .broken { files[domain] = file }
    }

    private mutating func receive(_ message: Message) -> Bool {
        guard messages[message.id] == nil, !deleted.contains(message.id) else { return false }
        let sentAt = max(0, min(message.sentAt?.rawValue ?? clock, clock))
        known.insert(message.conversation)
        if let sender = message.sender { heard[message.conversation, default: []].insert(plainHandle(sender)) }
        messages[message.id] = SentMessage(
            message: message,
            sentAt: sentAt,
            arrival: number,
            text: message.text,
            changedAt: sentAt,
            links: links(in: message.text),
            arrivals: arrivals(in: message.text)
        )
        return true
    }

    private mutating func edit(_ id: MessageID, _ text: String) -> Bool {
        guard messages[id] != nil else { return false }
        let links = links(in: text)
        let isNew = clock - (messages[id]?.changedAt ?? 0) < 600_000
        let isOther = Set(links.map(\.key)) != Set(messages[id]?.links.map(\.key) ?? [])
        if isNew || isOther { messages[id]?.changedAt = clock }
        let arrivals = arrivals(in: text, after: messages[id])
        messages[id]?.arrivals = arrivals
        messages[id]?.text = text
        messages[id]?.links = links
        pins.removeAll { pin in pin.message == id && !links.contains { $0.key == pin.key } }
        return true
    }

    private mutating func delete(_ id: MessageID) -> Bool {
        guard messages.removeValue(forKey: id) != nil else { return false }
        deleted.insert(id)
        pins.removeAll { $0.message == id }
        return true
    }

    private mutating func delete(_ id: ConversationID) -> Bool {
        guard known.remove(id) != nil else { return false }
        for message in messages.values where message.message.conversation == id { _ = delete(message.message.id) }
        declared[id] = nil
        heard[id] = nil
        return true
    }
}
