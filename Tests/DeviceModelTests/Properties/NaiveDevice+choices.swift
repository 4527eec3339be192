import WaypostSchema

extension NaiveDevice {
    /// Records a choice of the user or feedback of an app's view.
    mutating func choose(_ event: DeviceEvent) -> Bool {
        switch event {
        case .sharing(.linkPinned(let message, let url)): return pin(message, url)
        case .sharing(.linkUnpinned(let message, let url)): return unpin(message, url)
        case .sharing(.linkResolved(let url, let target)): return resolve(url, target)
        case .sharing(.linkRemoved(let url)):
            guard let key = link(url)?.key else { return false }
            removals[key] = number
        case .sharing(.linkRestored(let url)): return link(url).flatMap { removals.removeValue(forKey: $0.key) } != nil
        case .sharing(.sharingSet(let scope, let isOn)): off[scope] = isOn ? nil : number
        case .sharing(.automaticSharingSet(let app, isOn: true)): automatic[app] = automatic[app] ?? number
        case .sharing(.automaticSharingSet(let app, isOn: false)): automatic[app] = nil
        case .attribution(.attributionAttached(let app, let view, let url?, let context)):
            return attach(view, app, url, context ?? .summary)
        case .attribution(.attributionDetached(let app, let view)): return detach(view, app)
        case .attribution(.attributionContextChanged): return false
        case .sharing(.highlightInteracted(let app, let url)): return meet(app, url) { $0.hasInteraction = true }
        case .sharing(.contentFinished(let app, let url)): return meet(app, url) { $0.isFinished = true }
        default: break
        }
        return true
    }

    private func named(_ url: String?, in message: SentMessage) -> [SampleLink] {
        guard let url else { return message.links }
        return message.links.filter { $0.key == link(url)?.key }
    }

    private mutating func pin(_ id: MessageID, _ url: String?) -> Bool {
        guard let message = messages[id] else { return false }
        let links = named(url, in: message)
        for link in links {
            pins.removeAll { $0.message == id && $0.key == link.key }
            let conversation = message.message.conversation
            pins.append(PinFact(key: link.key, message: id, conversation: conversation, number: number, at: clock))
        }
        return !links.isEmpty
    }

    private mutating func unpin(_ id: MessageID, _ url: String?) -> Bool {
        guard let message = messages[id] else { return false }
        let keys = named(url, in: message).map(\.key)
        let count = pins.count
        pins.removeAll { $0.message == id && keys.contains($0.key) }
        return pins.count < count
    }

    /// Choices about the short link now apply to its target.
    ///
    /// Of two choices, the later one counts.
    private mutating func resolve(_ url: String, _ target: String) -> Bool {
        guard let short = SampleLink.named(url), let content = link(target) else { return false }
        guard resolutions[short.key] == nil, short.key != content.key else { return false }
        resolutions[short.key] = content
        for (id, message) in messages {
            let links = links(in: message.text)
            messages[id]?.links = links
        }
        if let removal = removals.removeValue(forKey: short.key) {
            removals[content.key] = max(removal, removals[content.key] ?? 0)
        }
        for index in pins.indices where pins[index].key == short.key { pins[index].key = content.key }
        pins = pins.filter { pin in
            !pins.contains { $0.key == pin.key && $0.message == pin.message && $0.number > pin.number }
        }
        for app in apps.keys { apps[app]?.moveWhatWasTold(of: short.key, to: content.key) }
        return true
    }

    // MARK: Views

    private mutating func attach(
        _ view: AttributionViewID,
        _ app: BundleIdentifier,
        _ url: String,
        _ context: DisplayContext
    ) -> Bool {
        guard let item = items(of: app).first(where: { $0.key == link(url)?.key }), isLoaded(app) else { return false }
        _ = detach(view, app)
        apps[app]?.views[view] = View(key: item.key, isDetail: context == .detail, since: clock)
        if context == .detail { apps[app]?.feedback[item.key, default: NaiveFeedback()].isStarted = true }
        return true
    }

    private mutating func detach(_ view: AttributionViewID, _ app: BundleIdentifier) -> Bool {
        guard let attached = apps[app]?.views.removeValue(forKey: view) else { return false }
        apps[app]?.feedback[attached.key, default: NaiveFeedback()].see(attached, until: clock)
        return true
    }

    private mutating func meet(
        _ app: BundleIdentifier,
        _ url: String,
        _ change: (inout NaiveFeedback) -> Void
    ) -> Bool {
        guard let item = items(of: app).first(where: { $0.key == link(url)?.key }), isLoaded(app) else { return false }
        var feedback = apps[app]?.feedback[item.key] ?? NaiveFeedback()
        change(&feedback)
        apps[app]?.feedback[item.key] = feedback
        return true
    }
}
