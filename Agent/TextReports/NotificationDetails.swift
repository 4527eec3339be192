package import WaypostSchema

extension NotificationFinding {
    /// The finding on one line.
    package var text: String {
        "\(severity.rawValue): \(message) [\(code)]"
    }
}

/// The delivery of a notification as text.
package enum NotificationDetails {
    /// Returns the details: a summary, the findings, and each state with its time and the time since the state before it.
    package static func text(_ notification: NotificationRecord) -> String {
        let head = [
            summary(notification), target(notification), deliveryOptions(notification), trace(notification),
            rejection(notification), reasonForDropping(notification),
        ]
        let findings = (notification.findings ?? []).map(\.text)
        return (head.compactMap { $0 } + findings + ["", steps(notification)]).joined(separator: "\n")
    }

    private static func summary(_ notification: NotificationRecord) -> String {
        let attempts =
            switch notification.attempts {
            case 0: "never sent"
            case 1: "sent once"
            default: "sent \(notification.attempts) times"
            }
        return "\(notification.id?.rawValue ?? "without an identifier"): \(notification.state.rawValue), \(attempts)"
    }

    private static func target(_ notification: NotificationRecord) -> String {
        let parts = [
            notification.topic.map { "for \($0)" }, notification.token.map { "to \($0)" },
            "in batch \(notification.batch)", "sequence \(notification.sequence)",
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }

    private static func deliveryOptions(_ notification: NotificationRecord) -> String? {
        let parts = [
            notification.pushType?.rawValue, notification.priority.map { "priority \($0)" },
            notification.expiration.map(expiration), notification.collapseID.map { "collapse identifier \($0)" },
        ]
        let deliveryOptions = parts.compactMap { $0 }.joined(separator: ", ")
        return deliveryOptions.isEmpty ? nil : deliveryOptions
    }

    private static func expiration(_ seconds: Int) -> String {
        guard seconds != 0 else { return "expiration 0 (deliver now or drop)" }
        let (milliseconds, overflows) = seconds.multipliedReportingOverflow(by: 1_000)
        return "expires " + (overflows ? "never" : Timestamp(milliseconds: milliseconds).textWithMilliseconds)
    }

    private static func trace(_ notification: NotificationRecord) -> String? {
        notification.traceparent.map { "trace \($0.traceID), span \($0.spanID)" }
    }

    private static func rejection(_ notification: NotificationRecord) -> String? {
        notification.reason.map { "\($0): \(notification.message ?? "")" }
    }

    private static func reasonForDropping(_ notification: NotificationRecord) -> String? {
        guard notification.state == .dropped, notification.expiration == 0 else { return nil }
        let cause =
            notification.attempts == 0
            ? "the device was not connected, or could not take it at once"
            : "the device did not acknowledge it before it disconnected"
        return "dropped: \(cause), or the gateway ended meanwhile; with expiration 0 it is not kept for later"
    }

    private static func steps(_ notification: NotificationRecord) -> String {
        let earlier = [nil] + notification.history.map { $0 as DeliveryStep? }
        let rows = zip(notification.history, earlier).map { step, before in
            [step.at.textWithMilliseconds, before.map { step.at.text(after: $0.at) } ?? "", step.state.rawValue]
        }
        return TextTable(header: ["Time", "After", "State"], rows: rows).text
    }
}
