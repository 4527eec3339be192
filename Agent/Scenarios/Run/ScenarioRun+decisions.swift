internal import GatewayClient
internal import PushRules
internal import SchemaFiles
internal import TextReports
internal import WaypostSchema

extension Expectation {
    /// The expected parts of what a device does with a notification, by their keys.
    fileprivate var decisionFields: [(key: String, value: String)] {
        [("shown", shown?.rawValue), ("sound", sound), ("thread", thread), ("launched", launched)].compactMap {
            key,
            value in
            value.map { (key, $0) }
        }
    }

    /// Whether it is about what a device does with the latest notification.
    var isAboutDecision: Bool {
        !decisionFields.isEmpty
    }
}

extension ScenarioRun {
    /// Compares what devices did with the latest notifications.
    ///
    /// - Parameters:
    ///   - expectation: the expectation.
    ///   - device: the device; `nil` for all to which a step sent them.
    /// - Returns: the differences, with the gates of each decision that differs.
    /// - Throws: `CallError` if a call to an agent fails.
    func compareDecision(_ expectation: Expectation, on device: String?) async throws -> Findings {
        let notifications = try await newestNotifications(on: device)
        var findings = Findings()
        if notifications.isEmpty { findings.addDecision(expectation, "no notification was sent or arrived") }
        for notification in notifications {
            findings.add(try await compareDecision(of: notification, with: expectation))
        }
        return findings
    }

    /// Returns what the latest step sent to a device, or else what the device received last, from another program.
    ///
    /// - Parameter device: the device; `nil` for all to which a step sent something.
    /// - Returns: the notifications.
    /// - Throws: `CallError` if a call to an agent fails.
    func newestNotifications(on device: String?) async throws -> [SentNotification] {
        let notifications = latestNotifications.filter { device == nil || $0.device == device }
        let onlyDevice = scenario.deviceNames.count == 1 ? scenario.deviceNames.first : nil
        guard notifications.isEmpty, let device = device ?? onlyDevice, environment.isRunning(device) else {
            return notifications
        }
        return try await arrivedNotifications(of: device).suffix(1).map {
            SentNotification(id: $0.id, device: device, title: $0.title ?? $0.id.rawValue)
        }
    }

    private func compareDecision(
        of notification: SentNotification,
        with expectation: Expectation
    ) async throws -> Findings {
        let (agent, device) = (try environment.agent(of: notification.device), notification.device)
        var findings = Findings()
        guard let decision = try await agent.decision(about: notification.id, on: device) else {
            findings.addDecision(expectation, "it is not on \(device)")
            return findings
        }
        let notificationOnDevice = try await agent.notifications(of: device).first { $0.id == notification.id }
        let actual = [
            "shown": decision.presentation.rawValue, "sound": decision.sound?.name ?? "none",
            "launched": decision.launch?.outcome.rawValue ?? "none",
            "thread": notificationOnDevice?.threadIdentifier ?? "none",
        ]
        for (key, expected) in expectation.decisionFields where expected != actual[key] {
            findings.add(key, expected, actual: actual[key] ?? "none", replacement: actual[key].map { [$0] })
        }
        if !findings.differences.isEmpty { findings.explanations.append(decision.text) }
        return findings
    }

    /// Returns the topic of the latest notification; `nil` if there is none.
    private func latestTopic(on device: String) async throws -> Topic? {
        let latestNotification = try await newestNotifications(on: device).last
        return try await arrivedNotifications(of: device).last { $0.id == latestNotification?.id }?.topic
    }

    /// Returns an app of a device; `nil` if it is not there.
    private func status(of app: BundleIdentifier, on device: String) async throws -> AppStatus? {
        try await environment.agent(of: device).apps(of: device).first { $0.app == app }
    }

    /// Compares how often push receivers of an app were called.
    ///
    /// - Parameters:
    ///   - expected: the numbers, by the names of the receivers.
    ///   - app: the app, or `nil` for that of the latest notification.
    ///   - device: the device.
    /// - Returns: the differences, with the gates of the latest notification.
    /// - Throws: `StepFailure` if there is no app, `CallError` if a call to an agent fails.
    func compareReloads(
        _ expected: [String: Int],
        of app: BundleIdentifier?,
        on device: String
    ) async throws -> Findings {
        let topic = try await latestTopic(on: device)
        let base = topic.map { $0.split?.base ?? $0 }
        guard let app = app ?? base.map({ BundleIdentifier(rawValue: $0.rawValue) }) else {
            throw StepFailure("name the app of the reloads with 'app'")
        }
        let status = try await status(of: app, on: device)
        var findings = Findings()
        for (receiver, count) in expected.sorted(by: { $0.key < $1.key }) {
            let actual = status?.reloads?[receiver] ?? 0
            guard status == nil || actual != count else { continue }
            findings.add(
                "reloads.\(receiver)",
                "\(count)",
                actual: status == nil ? "\(app) is not on \(device)" : "\(actual)",
                replacement: status.map { _ in ["\(actual)"] }
            )
        }
        guard !findings.differences.isEmpty, let notification = try await newestNotifications(on: device).last,
            let decision = try await environment.agent(of: device).decision(about: notification.id, on: device)
        else { return findings }
        findings.explanations.append(decision.text)
        return findings
    }

    /// Compares the number on the icon of an app: the named one, or that of the latest notification.
    func compareBadge(_ expected: Int, of app: BundleIdentifier?, on device: String) async throws -> Findings {
        let topic = try await latestTopic(on: device)
        guard let app = app ?? topic.map({ BundleIdentifier(rawValue: $0.rawValue) }) else {
            throw StepFailure("name the app of the badge with 'app'")
        }
        var findings = Findings()
        guard let status = try await status(of: app, on: device) else {
            findings.add("badge", "\(expected)", actual: "\(app) is not on \(device)")
            return findings
        }
        let badge = status.badge ?? 0
        if badge != expected { findings.add("badge", "\(expected)", actual: "\(badge)", replacement: ["\(badge)"]) }
        return findings
    }
}

extension AgentClient {
    /// Returns what a device did with a notification; `nil` if it has not arrived, or was dismissed.
    fileprivate func decision(
        about notification: NotificationID,
        on device: String
    ) async throws(CallError) -> NotificationDecision? {
        do {
            return try await explain(notification, on: device)
        } catch .refused(status: 404, _) {
            return nil
        }
    }
}

extension Findings {
    fileprivate mutating func addDecision(_ expectation: Expectation, _ actual: String) {
        for (key, expected) in expectation.decisionFields { add(key, expected, actual: actual) }
    }
}
