package import WaypostSchema

extension TokenPurpose.Kind {
    /// The row of the push type whose topic the tokens have; alerts and background pushes share one.
    package var contract: PushTypeContract {
        switch self {
        case .app: .alert
        case .voip: .voip
        case .pushToTalk: .pushToTalk
        case .location: .location
        case .fileProvider: .fileProvider
        case .complication: .complication
        case .pushToStart, .liveActivity: .liveActivity
        case .widgets: .widgets
        case .control: .controls
        }
    }

    /// The kind in front of the word "token".
    fileprivate var title: String {
        switch self {
        case .app: "app"
        case .voip: "VoIP"
        case .pushToTalk: "push-to-talk"
        case .location: "location"
        case .fileProvider: "file provider"
        case .complication: "complication"
        case .pushToStart: "push-to-start"
        case .liveActivity: "Live Activity"
        case .widgets: "widget"
        case .control: "control"
        }
    }
}

extension TokenPurpose {
    /// The only topic of the token.
    package var topic: Topic {
        Topic(rawValue: app.rawValue + (kind.contract.topicSuffix ?? ""))
    }

    /// Returns whether a sender that has all tokens of a device sends a notification to this one.
    ///
    /// Push-to-start tokens and those of Live Activities have the same topic, so the event decides between them.
    ///
    /// - Parameters:
    ///   - topic: the topic of the notification.
    ///   - payload: its payload.
    /// - Returns: whether it is the token for the notification.
    package func isFor(_ topic: Topic, payload: JSONValue?) -> Bool {
        guard topic == self.topic else { return false }
        let isStart = payload?["aps"]?["event"]?.string == "start"
        return switch kind {
        case .pushToStart: isStart
        case .liveActivity: !isStart
        default: true
        }
    }

    /// The token, for people: "the VoIP token of com.example.clowntown".
    package var title: String {
        "the \(kind.title) token of \(app)" + (name.map { " (\($0))" } ?? "")
    }

    /// Returns why a token for this purpose cannot be registered for topics; `nil` if it can.
    package func problem(with topics: [Topic]) -> String? {
        guard Set(topics) != [topic] else { return nil }
        if let other = topics.first(where: { !isOfApp($0) }) {
            return "'purpose.app' is \(app), but 'topics' has \(other), which is not a topic of that app"
        }
        let listed = topics.isEmpty ? "none" : topics.listing
        let kind = "'purpose.kind' \(kind.rawValue)"
        return "'topics' must be only \(topic), the topic of \(title) (\(kind)); it has \(listed)"
    }

    /// Returns why a notification for another topic is refused.
    package func explanation(refusing other: Topic) -> String {
        "this is \(title); its topic is \(topic), not \(other)"
    }

    private func isOfApp(_ topic: Topic) -> Bool {
        topic.rawValue == app.rawValue || topic.split?.base.rawValue == app.rawValue
    }
}
