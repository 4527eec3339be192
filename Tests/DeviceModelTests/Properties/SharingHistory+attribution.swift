import WaypostSchema

// Attribution views, taps on them and replies, for the histories that have them.

extension SharingHistory {
    /// Begins with apps that are offered everything, and contacts for everybody.
    mutating func beginWithAll() {
        let apps = SampleApp.identifiers.map { withScenes(SampleApp.versions(of: $0)[0]) }
        add(.system(.deviceDescribed(DeviceDescription(name: "phone", apps: apps))))
        for domain in ["tv.example", "news.example", "kids.tv.example"] {
            let file = Array(SampleFile.everything.text.utf8)
            add(.system(.associationChecked(domain: domain, source: "test", .success(file))))
        }
        for (number, handle) in Self.people.enumerated() {
            let id = ContactID(rawValue: "p\(number + 10)")
            add(.sharing(.contactChanged(Contact(id: id, givenName: "Friend \(number)", handles: [handle]))))
        }
        for app in SampleApp.identifiers { add(.sharing(.automaticSharingSet(app, isOn: true))) }
        for _ in 0..<10 { add(.sharing(.messageReceived(message()))) }
    }

    mutating func addAttribution() {
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<8: addRequest()
        case 8:
            add(
                chance(30)
                    ? .attribution(.attributionReleased(view.app, view.id))
                    : .attribution(.attributionDetached(view.app, view.id))
            )
        case 9..<11:
            add(.attribution(.attributionAttached(view.app, view.id, url: nil, pick([nil, .summary, .detail]))))
        case 11..<15: addTap()
        case 15..<17: add(.attribution(.presentationDismissed))
        default: addTalk()
        }
    }

    /// Requests a view, mostly of a recently shared link.
    private mutating func addRequest() {
        let app = pick(chance(90) ? ["com.example.tv", "com.example.news"] : SampleApp.identifiers)
        view = (app, pick(Self.handles))
        let sent = entries.suffix(60).compactMap { entry in
            if case .sharing(.messageReceived(let message)) = entry.event { message.text } else { nil }
        }
        let lately = sent.flatMap { $0.split(separator: " ").map(String.init) }
        add(
            .attribution(
                .attributionRequested(
                    app,
                    view.id,
                    url: lately.isEmpty || chance(20) ? url() : pick(lately),
                    preferences()
                )
            )
        )
        // An app that just received a view mostly uses it.
        if chance(60) { addTap() }
    }

    private mutating func addTap() {
        let scene = pick([nil, nil, "a", "b"] as [SceneIdentifier?])
        if chance(10) { view = (pick(SampleApp.identifiers), pick(Self.handles)) }
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<5: add(.attribution(.attributionTapped(view.app, view.id, scene)))
        case 5..<7: add(.attribution(.menuItemChosen(view.app, view.id, "reply", scene)))
        case 7..<8: add(.attribution(.menuItemChosen(view.app, view.id, "remove", scene)))
        default: add(.attribution(.menuItemChosen(view.app, view.id, chance(80) ? "mine" : "absent", scene)))
        }
        if chance(60) { addTalk() }
    }

    /// Chooses a conversation or sends a reply, whether or not the conversation is presented.
    private mutating func addTalk() {
        for conversation in Self.conversations.shuffled(using: &generator) {
            if chance(50) { add(.attribution(.conversationChosen(conversation))) }
            guard chance(50) else { continue }
            if chance(95) { messageCount += 1 }
            let id = MessageID(rawValue: "m\(messageCount)")
            add(.attribution(.replySent(Message(id: id, conversation: conversation, text: text()))))
        }
    }

    private mutating func preferences() -> AttributionPreferences {
        AttributionPreferences(
            displayContext: pick([.summary, .detail]),
            width: pick([nil, nil, 0, 150]),
            height: pick([nil, nil, nil, 10]),
            menuTitleForHideAction: pick([nil, "Remove It", "Away"]),
            supplementalMenu: chance(20) ? [] : [MenuItem(id: "mine", title: "Mine")]
        )
    }

    mutating func withScenes(_ app: AppDescription) -> AppDescription {
        guard hasAttribution else { return app }
        var app = app
        app.scenes = pick([[], ["a"], ["a", "b"]]).map { .example($0, pick([.foregroundActive, .background])) }
        return app
    }
}
