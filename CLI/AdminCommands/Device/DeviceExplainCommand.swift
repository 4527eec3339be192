internal import ArgumentParser
internal import DeviceModel
internal import Foundation
internal import GatewayClient
internal import Highlights
internal import Targeting
internal import TextBasics
internal import TextReports
internal import WaypostSchema

/// The `waypost device explain` command, which explains a decision without opening anything.
struct DeviceExplainCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract:
            "Explain what a device would do with a notification, a URL or a content identifier, without doing it.",
        usage: """
            waypost device explain <notification> [--scene <scene>]
            waypost device explain <url> [--app <app> | --shelves]
            waypost device explain --target-content-id <id> --app <app> [--scene <scene>]
            """,
        discussion: """
            For a notification on the device (its identifier, the start of it, its title, or 'last'): whether it was shown, what its \
            payload has that is unusual, and which scene of its app would open, with the verdict of each scene. For a URL: which apps may be offered it; with --app, whether it is on \
            the app's shelf, with each gate, and with --shelves the same for every app. For an identifier: which scene \
            of the app would open, with the verdict of each scene. Exits with 1 if the answer is no.

              waypost device explain https://tv.example/shows/1 --shelves --journal journal.jsonl
            """
    )

    @OptionGroup var source: DeviceOrJournalOptions

    @Argument(help: "The URL, or the notification.")
    var what: String?

    @Option(
        name: .customLong("target-content-id"),
        help: ArgumentHelp("The target content identifier of a notification.", valueName: "id")
    )
    var targetContentIdentifier: String?

    @Option(help: "The app.", completion: .apps)
    var app: String?

    @Flag(help: "For a URL: whether it is on the shelf of each app, with each gate.")
    var shelves = false

    @Option(help: "Only the verdict of this scene; exits with 1 if another one opens.", completion: .scenes)
    var scene: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    /// The question in the arguments.
    private enum Question {
        case sceneOfNotification(named: String)
        case scene(SceneQuery, of: BundleIdentifier)
        case apps(ofURL: String)
        case highlight(ofURL: String, in: BundleIdentifier)
        case highlights(ofURL: String)
    }

    private var question: Question {
        get throws(ValidationError) {
            let app = app.map(BundleIdentifier.init(rawValue:))
            switch (what, targetContentIdentifier) {
            case (let what?, nil) where what.isURLArgument:
                guard scene == nil else {
                    throw ValidationError("--scene needs a notification, or --target-content-id")
                }
                guard shelves else { return app.map { .highlight(ofURL: what, in: $0) } ?? .apps(ofURL: what) }
                guard app == nil else { throw ValidationError("give one of --app and --shelves") }
                return .highlights(ofURL: what)
            case _ where shelves: throw ValidationError("--shelves is for a URL")
            case (let what?, nil): return .sceneOfNotification(named: what)
            case (nil, let identifier?):
                guard let app else { throw ValidationError("--target-content-id needs --app") }
                return .scene(.notification(TargetContentIdentifier(rawValue: identifier)), of: app)
            case (nil, nil), (_?, _?): throw ValidationError("give a notification, a URL, or --target-content-id")
            }
        }
    }

    func validate() throws {
        _ = try question
    }

    func perform() async throws {
        switch try question {
        case .sceneOfNotification(let name):
            let notification = try await notification(named: name)
            let presentation = try await presentation(of: notification)
            let query = SceneQuery.notification(notification.targetContentIdentifier)
            let app = BundleIdentifier(rawValue: app ?? notification.topic.rawValue)
            try report(try await sceneDecision(for: query, of: app), after: presentation)
        case .scene(let query, let app): try report(try await sceneDecision(for: query, of: app))
        case .apps(let url):
            let (decisions, now) = try await linkDecisions(on: url)
            try report(decisions, at: now)
        case .highlight(let url, let app):
            let explanation = try await source.read { model in
                model.sharing.explanation(of: url, for: app)
            } call: { agent, device in
                try await agent.explain(url, in: app, on: device)
            }
            try output.write(explanation) { $0.text }
            if !explanation.isSurfaced { throw CommandFailure.failed() }
        case .highlights(let url): try report(try await explanations(of: url))
        }
    }

    private func notification(named name: String) async throws -> DeviceNotification {
        let notifications = try await source.read(
            replay: \.notifications,
            call: { agent, device in try await agent.notifications(of: device) }
        )
        let named = notifications.notification(named: NotificationID(name: name).rawValue)
        guard let notification = named ?? notifications.last(where: { $0.title == name }) else {
            guard name != "last" else {
                let isInAirplaneMode = try await source.read(
                    replay: \.isInAirplaneMode,
                    call: { agent, device in await agent.isInAirplaneMode(device) }
                )
                throw CommandFailure.noNotifications(isInAirplaneMode: isInAirplaneMode)
            }
            let hint = name.urlWithScheme.map { "did you mean '\($0)'?" } ?? "see 'waypost device notifications'"
            throw CommandFailure.failed("there is no notification '\(name)'; \(hint)")
        }
        return notification
    }

    /// Returns whether a notification was shown, and why, with the findings about its payload; `nil` if unknown.
    private func presentation(of notification: DeviceNotification) async throws -> NotificationDecision? {
        try await source.read { model in
            model.decision(on: notification.id)
        } call: { agent, device in
            try await agent.explain(notification.id, on: device)
        }
    }

    private func sceneDecision(for query: SceneQuery, of app: BundleIdentifier) async throws -> SceneDecision {
        try await source.read { model in
            guard let decision = model.sceneDecision(for: query, of: app) else {
                throw CommandFailure.unusable(model.missingAppMessage(for: app))
            }
            return decision
        } call: { agent, device in
            try await agent.explainScene(query, of: app, on: device)
        }
    }

    /// Returns the decision of each app about a URL, and the time on the device, which only a text needs.
    private func linkDecisions(on url: String) async throws -> ([LinkDecision], Timestamp?) {
        let isText = output.resolvedFormat == .table
        return try await source.read { model in
            (model.linkDecisions(on: url), model.sharing.clock)
        } call: { agent, device in
            (try await agent.explain(url, on: device), isText ? try await agent.clock().now : nil)
        }
    }

    /// Returns the explanation for each app that takes part in Shared with You.
    private func explanations(of url: String) async throws -> [LinkExplanation] {
        try await source.read { model in
            model.sharing.apps.map { model.sharing.explanation(of: url, for: $0) }
        } call: { agent, device in
            try await agent.explanations(of: url, on: device)
        }
    }

    /// Writes which apps may be offered a URL.
    private func report(_ decisions: [LinkDecision], at now: Timestamp?) throws {
        try output.writeExplainingNone(decisions) { decisions in
            decisions.isEmpty
                ? "no app on the device has associated domains"
                : decisions.map { LinksMatchCommand.text(of: $0, at: now) }.joined(separator: "\n\n")
        }
        if !decisions.contains(where: \.matched) { throw CommandFailure.failed() }
    }

    /// Writes on which shelves a link is.
    private func report(_ explanations: [LinkExplanation]) throws {
        guard !explanations.isEmpty else {
            throw CommandFailure.unusable("the device has no apps, so none can have the link")
        }
        try output.write(explanations) { $0.map(\.text).joined(separator: "\n\n") }
        if !explanations.contains(where: \.isSurfaced) { throw CommandFailure.failed() }
    }

    /// Writes a decision, or the part of it about one scene; in text, after the decision about the presentation.
    private func report(_ decision: SceneDecision, after presentation: NotificationDecision? = nil) throws {
        guard let scene else {
            guard case .sceneOfNotification = try question else { return try output.write(decision) { $0.text } }
            return try output.write(ExplainedNotification(notification: presentation, scene: decision)) {
                TextParts(($0.notification.map { [$0.text] } ?? []) + [$0.scene.text])
            }
        }
        var sceneDecision = decision
        sceneDecision.trace.removeAll { $0.scene.rawValue != scene }
        guard let verdict = sceneDecision.trace.first else {
            let names = decision.trace.map(\.scene.rawValue)
            let hint =
                scene.nearest(among: names).map { "did you mean '\($0)'?" }
                ?? "its scenes are \(names.joined(separator: ", "))"
            throw CommandFailure.failed("the app has no scene '\(scene)'; \(hint)")
        }
        try output.write(sceneDecision) { $0.text }
        if !verdict.won { throw CommandFailure.failed() }
    }
}

/// The explanation of a notification on a device.
struct ExplainedNotification: Encodable {
    /// Whether and where it was shown, and why, with the findings about its payload; `nil` if it is not known any more.
    let notification: NotificationDecision?

    /// The scene that opens if the user chooses it.
    let scene: SceneDecision
}

extension AgentClient {
    /// Returns for each app that takes part in Shared with You whether a link is on its shelf, and why.
    func explanations(of url: String, on device: String) async throws -> [LinkExplanation] {
        var explanations: [LinkExplanation] = []
        for app in try await appDescriptions(on: device) where app.sharedWithYou {
            explanations.append(try await explain(url, in: app.bundleIdentifier, on: device))
        }
        return explanations
    }
}
