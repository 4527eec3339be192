internal import GatewayClient
internal import SchemaFiles
internal import TextReports
internal import WaypostSchema

extension Expectation {
    /// Whether it is about what a device does with the notification that was sent last.
    var isAboutAnArrival: Bool {
        shown != nil || sound != nil || badge != nil || thread != nil
    }
}

extension ScenarioRun {
    /// Compares what the devices did with the notifications that were sent last.
    func checkArrival(_ expectation: Expectation) async throws -> Findings {
        let wanted = lastSent.filter { expectation.device == nil || $0.device == expectation.device }
        var findings = Findings()
        if wanted.isEmpty { findings.add("shown", expectation.shown?.rawValue ?? "a notification", "nothing was sent") }
        for notification in wanted {
            findings.add(try await arrival(of: notification, expectation))
        }
        return findings
    }

    private func arrival(of notification: Sent, _ expectation: Expectation) async throws -> Findings {
        let (agent, device) = (try stage.agent(of: notification.device), notification.device)
        var findings = Findings()
        guard let found = try await agent.notifications(of: device).first(where: { $0.id == notification.id }) else {
            findings.add("shown", expectation.shown?.rawValue ?? "it arrives", "it is not on \(device)")
            return findings
        }
        let decision = try await agent.explain(found.id, on: device)
        findings.compareArrival("shown", expectation.shown?.rawValue, decision.presentation.rawValue)
        findings.compareArrival("sound", expectation.sound, decision.sound?.name ?? "none")
        findings.compareArrival("thread", expectation.thread, found.threadIdentifier ?? "none")
        if let badge = expectation.badge {
            let status = try await agent.apps(of: device).first { $0.app.rawValue == found.topic.rawValue }
            findings.compareArrival("badge", "\(badge)", "\(status?.badge ?? 0)")
        }
        if !findings.differences.isEmpty { findings.explanations.append(decision.text) }
        return findings
    }
}

extension Findings {
    fileprivate mutating func compareArrival(_ field: String, _ expected: String?, _ actual: String) {
        if let expected, expected != actual { add(field, expected, actual, update: [actual]) }
    }
}
