internal import TextBasics
internal import WaypostSchema

/// Communication notifications: the sender against the people whom the Focus allows.
extension PresentationRules {
    /// Whether the sender matters: there is one, or the Focus lists people.
    var asksForSender: Bool {
        sender != nil || focus?.allowedPeople?.isEmpty == false
    }

    /// The verdict on the sender; it fails only if the Focus silences the notification.
    var communicationGate: NotificationVerdict {
        func verdict(passes: Bool, _ reason: String) -> NotificationVerdict {
            NotificationVerdict(.communication, passes: passes, explanation: reason)
        }
        if let reason = focus.flatMap(reasonToPassWithoutSender) {
            return verdict(passes: true, "\(reason), for any sender")
        }
        guard let sender else { return verdict(passes: false, reasonWithoutSender) }
        guard let focus else {
            return verdict(passes: true, "it is from \(senderName)\(sender.noteWithoutCard), and no Focus is on")
        }
        if let reason = reasonToPassWithSender(focus) { return verdict(passes: true, reason) }
        guard focus.allowedPeople?.isEmpty == false else {
            return verdict(passes: false, "the Focus \(focus.name) allows no people")
        }
        let reason = "the Focus \(focus.name) does not allow \(senderName)\(sender.noteWithoutCard)"
        return verdict(passes: false, reason)
    }

    /// Returns the reason why a Focus lets the notification through because of its sender; `nil` if it does not.
    func reasonToPassWithSender(_ focus: Focus) -> String? {
        sender?.isAllowed(by: focus) == true ? "the Focus \(focus.name) allows \(senderName)" : nil
    }

    private var senderName: String {
        sender?.name.safe(for: .excerpt) ?? ""
    }

    /// The reason why the notification has no sender.
    private var reasonWithoutSender: String {
        switch serviceExtension {
        case .notNeeded, .working: "\(reasonWithoutExtension), so nothing names the sender"
        case .local: "\(app) requested the notification itself, and named no sender"
        case .finished, .unchanged: "the service extension of \(app) donated no communication with a sender"
        case .empty: "the service extension of \(app) returned no alert, so nothing names the sender"
        case .expired: "the service extension of \(app) took too long, so nothing names the sender"
        }
    }
}
