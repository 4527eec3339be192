internal import Foundation
internal import GatewayClient
internal import LocalProcesses
internal import WaypostSchema

extension ScenarioRun {
    func open(_ opening: Opening) async throws -> StepAnswer {
        let device = opening.device
        let agent = try environment.agent(of: device)
        if let title = opening.notification {
            let id = try await notification(title, on: device).id
            guard let action = opening.action else { return StepAnswer(try await agent.open(id, on: device)) }
            let reaction = try await agent.performAction(action, text: opening.text, of: id, on: device)
            for case .scene(.sceneActivated(let opened)) in reaction.effects { return StepAnswer(opened) }
            return StepAnswer(reaction)
        }
        if let url = opening.url {
            return StepAnswer(try await agent.openURL(url, from: opening.from, page: opening.page, on: device))
        }
        if let activity = opening.activity {
            return try await self.open(activity: activity, failingWith: opening.error, on: device)
        }
        guard let app = opening.app else { return StepAnswer() }
        if let shortcut = opening.shortcut {
            return StepAnswer(try await agent.performShortcutItem(shortcut, of: app, on: device))
        }
        return StepAnswer(try await agent.openApp(app, on: device))
    }

    /// Returns the latest notification with a title or an identifier, and waits for it.
    private func notification(_ title: String, on device: String) async throws -> DeviceNotification {
        let agent = try environment.agent(of: device)
        var notifications: [DeviceNotification] = []
        let notification = try await ProcessWait.forValue(within: .seconds(5)) {
            notifications = try await agent.notifications(of: device)
            return notifications.last { $0.presentation != .pending && ($0.title == title || $0.id.rawValue == title) }
        }
        if let notification { return notification }
        let titles = notifications.map { $0.title ?? $0.id.rawValue }
        let contents = titles.isEmpty ? "it has none" : "it has: \(titles.joined(separator: ", "))"
        throw StepFailure(
            "\(device) has no notification '\(title)'; \(contents)",
            explanation: try await log(of: title, on: device)
        )
    }

    private func open(
        activity: String,
        failingWith error: HandoffError?,
        on device: String
    ) async throws -> StepAnswer {
        let agent = try environment.agent(of: device)
        let offers = try await agent.activities(on: device, atLeast: 1)
        let offer = offers.last { $0.activity.title == activity || $0.activity.activityType == activity }
        guard let offer else {
            let titles = offers.map { $0.activity.title ?? $0.activity.activityType }
            throw StepFailure(
                "\(device) offers no activity '\(activity)'; it offers: "
                    + (titles.isEmpty ? "none" : titles.joined(separator: ", "))
            )
        }
        return StepAnswer(try await agent.continueActivity(offer.id, on: device, failingWith: error))
    }

    func handOff(_ request: HandoffRequest) async throws -> StepAnswer {
        let token = try environment.token(of: request.to)
        let agent = try environment.agent(of: request.device)
        let scene = request.scene
        let handoff = try await agent.handOff(request.app, scene: scene, to: token, from: request.device)
        markAsUnsettled([request.to])
        try await settle()
        var answer = StepAnswer(handoff)
        answer.summary = handoff.activity.title ?? handoff.activity.activityType
        return answer
    }

    /// Waits until the attached apps of a device have taken their activations.
    func waitUntilActivationsAreTaken(on device: String) async throws {
        let attached = Set(self[device].appProcesses.keys)
        guard !attached.isEmpty else { return }
        let agent = try environment.agent(of: device)
        try await ProcessWait.untilTrue(orFailWith: "an app on \(device) did not take the activation of its scene") {
            try await agent.apps(of: device).allSatisfy { !attached.contains($0.app) || $0.activations == 0 }
        }
    }
}
