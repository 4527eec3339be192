internal import PushRules
internal import WaypostSchema

extension Recipient {
    /// Returns what is unusual about a notification because of its token: the token is for several topics.
    func findings(about notification: NewNotification) -> [NotificationFinding] {
        guard purpose == nil, topics.count > 1,
            notification.isPushTypeAssumed || notification.pushType.topicSuffix != nil,
            // A message to a channel reaches a device without its token.
            !notification.isBroadcast, let pushType = notification.topic.split?.contract.pushType,
            notification.isPushTypeAssumed || notification.pushType == pushType,
            topics.contains(where: { $0 != notification.topic && !$0.isOfWaypost })
        else { return [] }
        let finding = NotificationFinding(
            code: .sharedToken,
            severity: .note,
            message: "a real device has a token of its own for \(notification.topic); this one is for other topics, too"
        )
        return [finding]
    }
}
