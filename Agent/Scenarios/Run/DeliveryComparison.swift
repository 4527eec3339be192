internal import WaypostSchema

/// A comparison of what the gateway accepted for a device with what arrived on the device.
struct DeliveryComparison {
    let device: String

    /// The gateway's log, in the order in which it accepted the notifications.
    let acceptedNotifications: [NotificationRecord]

    /// The notifications on the device, in the order of arrival.
    let arrivedNotifications: [DeviceNotification]

    /// The titles of what the scenario sent.
    let titles: [NotificationID: String]

    /// The differences from "everything arrived once, in order, and nothing else arrived".
    var findings: Findings {
        var findings = Findings()
        let expected = acceptedNotifications.compactMap(\.id)
        let identifiers = Set(arrivedNotifications.map(\.id))
        for record in acceptedNotifications {
            guard let id = record.id, !identifiers.contains(id) else { continue }
            findings.add("delivered", "'\(title(id))' arrives once", actual: "it did not arrive on \(device)")
            findings.explanations.append("The gateway's log of '\(title(id))':\n" + ScenarioRun.log(of: record))
        }
        let expectedIdentifiers = Set(expected)
        for notification in arrivedNotifications where !expectedIdentifiers.contains(notification.id) {
            findings.add("delivered", "nothing else arrives on \(device)", actual: describeUnexpected(notification))
        }
        if let (first, second) = firstReorderedPair(of: expected) {
            findings.add(
                "delivered",
                "'\(title(first))' arrives before '\(title(second))'",
                actual: "'\(title(second))' arrived first on \(device)"
            )
            findings.explanations.append(
                "The gateway accepted '\(title(first))' first. Both have the same priority, so the order is kept."
            )
        }
        return findings
    }

    private func title(_ id: NotificationID) -> String {
        titles[id] ?? arrivedNotifications.first { $0.id == id }?.title ?? id.rawValue
    }

    /// Describes a notification that the gateway never accepted.
    private func describeUnexpected(_ notification: DeviceNotification) -> String {
        let title = notification.title ?? "a notification"
        let isCopy = arrivedNotifications.contains { $0.id != notification.id && $0.title == notification.title }
        let copy = isCopy ? "; it is a second '\(title)' with another identifier" : ""
        return "'\(title)' (\(notification.id)) arrived, which the gateway never accepted for it\(copy)"
    }

    /// Returns two notifications of the same priority that arrived in the wrong order.
    private func firstReorderedPair(of expected: [NotificationID]) -> (NotificationID, NotificationID)? {
        let priorities = Dictionary(
            acceptedNotifications.compactMap { record in record.id.map { ($0, record.priority ?? 10) } },
            uniquingKeysWith: { first, _ in first }
        )
        let positions = Dictionary(
            arrivedNotifications.enumerated().map { ($0.element.id, $0.offset) },
            uniquingKeysWith: { first, _ in first }
        )
        for priority in Set(priorities.values).sorted(by: >) {
            let ids = expected.filter { priorities[$0] == priority && positions[$0] != nil }
            for (first, second) in zip(ids, ids.dropFirst()) {
                if let position = positions[first], let next = positions[second], position > next {
                    return (first, second)
                }
            }
        }
        return nil
    }
}
