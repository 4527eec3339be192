internal import AsyncHTTPClient
internal import GatewayClient
internal import WaypostSchema

/// The part of a demo after the notifications: quick actions, universal links, Handoff and replies.
struct DemoStepRun: Sendable {
    let agents: [String: AgentClient]
    let http: HTTPClient

    /// Performs a step and returns its result.
    func perform(_ step: DemoStep) async throws -> DemoStepResult {
        let agent = try agent(of: step.device)
        guard let action = step.action else {
            throw CommandFailure.unusable(
                "steps.yaml: a step on \(step.device) needs 'openURL', or 'app' with 'quickAction', with 'handOff' and "
                    + "'to', or with 'replyTo' and 'text'"
            )
        }
        switch action {
        case .quickAction(let app, let type):
            let openedScene = try await agent.performShortcutItem(type, of: app, on: step.device)
            let about = openedScene.decision?.targetContentIdentifier
            return result("Quick action \(type)", about?.rawValue, openedScene: openedScene, step: step)
        case .openURL(let url): return try await open(url, step, agent: agent)
        case .handOff(let app, let scene, let target):
            return try await handOff(app, scene, to: target, step: step, agent: agent)
        case .reply(let app, let url, let text): return try await reply(app, url, text: text, step: step, agent: agent)
        }
    }

    private func agent(of device: String) throws(CommandFailure) -> AgentClient {
        guard let agent = agents[device] else { throw .unusable("steps.yaml: there is no device '\(device)'") }
        return agent
    }

    private func open(_ url: String, _ step: DemoStep, agent: AgentClient) async throws -> DemoStepResult {
        let openedURL = try await agent.openURL(url, on: step.device)
        return DemoStepResult(
            action: "Universal link",
            about: url,
            device: step.device,
            app: openedURL.opened?.app,
            scene: openedURL.opened?.activation.scene,
            reason: openedURL.opened?.decision?.reason,
            explanation: openedURL.explanation,
            expected: step.expected
        )
    }

    /// Continues the activity of a scene on another device.
    private func handOff(
        _ app: BundleIdentifier,
        _ scene: SceneIdentifier,
        to device: String,
        step: DemoStep,
        agent: AgentClient
    ) async throws -> DemoStepResult {
        let targetAgent = try self.agent(of: device)
        guard let token = try await targetAgent.devices().first(where: { $0.name == device })?.token else {
            throw CommandFailure.failed("\(device) is not registered")
        }
        let handoff = try await agent.handOff(app, scene: scene, to: token, from: step.device)
        guard let offer = try await targetAgent.activities(on: device, atLeast: 1).last else {
            throw CommandFailure.failed("the activity of \(app) did not arrive on \(device)")
        }
        let openedScene = try await targetAgent.continueActivity(offer.id, on: device)
        let title = handoff.activity.title ?? handoff.activity.activityType
        return result(
            "Handoff of \(title)",
            handoff.activity.targetContentIdentifier?.rawValue,
            openedScene: openedScene,
            step: step
        )
    }

    private func result(
        _ action: String,
        _ about: String?,
        openedScene: OpenedScene,
        step: DemoStep
    ) -> DemoStepResult {
        DemoStepResult(
            action: action,
            about: about ?? "–",
            device: openedScene.device,
            app: openedScene.app,
            scene: openedScene.activation.scene,
            reason: openedScene.decision?.reason,
            explanation: openedScene.decision?.explanation ?? "–",
            expected: step.expected
        )
    }

    /// Taps the attribution view of a link in the app, replies, and waits until the reply arrives.
    private func reply(
        _ app: BundleIdentifier,
        _ url: String,
        text: String,
        step: DemoStep,
        agent: AgentClient
    ) async throws -> DemoStepResult {
        let appClient = AppClient(http, try await agent.credential(of: app, on: step.device))
        let view = try await appClient.attribution(AttributionRequest(url: url)).view
        let tapReaction = try await agent.apply(.attribution(.attributionTapped(app, view, nil)), to: step.device)
        var conversation: ConversationID?
        for case .attribution(.conversationPresented(let presentation)) in tapReaction.effects {
            conversation = presentation.conversation
        }
        guard let conversation else { throw CommandFailure.failed("the tap on the link \(url) shows no conversation") }
        let message = Message(id: MessageID(rawValue: "reply to \(url)"), conversation: conversation, text: text)
        let replyReaction = try await agent.apply(.attribution(.replySent(message)), to: step.device)
        guard let receivingDevice = step.expected.device, let receivingAgent = agents[receivingDevice] else {
            throw CommandFailure.unusable("steps.yaml: the reply '\(text)' needs 'expected' with a 'device'")
        }
        let hasArrived = try await receivingAgent.messages(on: receivingDevice, atLeast: 1)
            .contains { $0.id == message.id }
        return DemoStepResult(
            action: "Reply \"\(text)\"",
            about: url,
            device: hasArrived ? receivingDevice : step.device,
            explanation: Self.explanation(of: replyReaction),
            expected: step.expected
        )
    }

    /// Returns the reason why the reply went to these devices.
    private static func explanation(of reaction: DeviceReaction) -> String {
        for case .attribution(.messageSent(_, let recipients)) in reaction.effects {
            return recipients.map(\.explanation).joined(separator: "; ")
        }
        return "–"
    }
}
