internal import ArgumentParser
internal import Foundation
internal import GatewayClient
internal import Targeting
internal import TextBasics
internal import TextReports
internal import WaypostSchema

/// The `waypost device open` command, which opens something on a device.
struct DeviceOpenCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open a notification, a URL or an app on a device, and say which scene opens, and why.",
        discussion: """
            What is opened is the identifier of a notification (or 'last', the newest one), a URL, or the bundle \
            identifier of an app.
            """
    )

    @OptionGroup var device: DeviceOptions

    @Argument(help: "What to open.")
    var what: String

    @Option(help: ArgumentHelp("The app in which a person taps the URL (default: none).", valueName: "app"))
    var from: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard from == nil || what.isURLArgument else { throw ValidationError("--from is for a URL") }
    }

    func perform() async throws {
        try await device.calling { agent, device in
            if what.isURLArgument {
                let app = from.map(BundleIdentifier.init(rawValue:))
                try output.write(try await agent.openURL(what, from: app, on: device)) { $0.explanation }
            } else if let id = try await notification(agent, device) {
                try output.write(try await agent.open(id, on: device)) { opened in
                    TextParts(["\(opened.app) opened its scene \(opened.scene)", opened.decision.text])
                }
            } else {
                let opened = try await agent.openApp(BundleIdentifier(rawValue: what), on: device)
                try output.write(opened) { $0.text }
            }
        }
    }

    /// Returns the notification to open, or `nil` if the argument names an app.
    private func notification(_ agent: AgentClient, _ device: String) async throws -> NotificationID? {
        if UUID(uuidString: what) != nil { return NotificationID(rawValue: what) }
        return try await agent.notification(named: what, on: device)?.id
    }
}

extension String {
    /// Whether an argument that may name several kinds of things is a URL; no identifier has a colon.
    fileprivate var isURLArgument: Bool {
        contains(":")
    }
}

extension AgentClient {
    /// Returns the notification that a text names: its identifier, the start of it, or `last` for the newest one; `nil` if
    /// there is none.
    ///
    /// - Throws: `CommandFailure` if the device has no notifications at all, but the last one is meant.
    func notification(named text: String, on device: String) async throws -> DeviceNotification? {
        let notifications = try await notifications(of: device)
        // A table may have shortened the identifier.
        let start = text.hasSuffix("…") ? String(text.dropLast()) : text
        guard text == "last" else { return notifications.last { $0.id.rawValue.hasPrefix(start) } }
        guard let last = notifications.last else { throw CommandFailure.no("there are no notifications on \(device)") }
        return last
    }

    /// Returns the notification that a text names.
    ///
    /// - Throws: `CommandFailure` if there is none.
    func neededNotification(named text: String, on device: String) async throws -> DeviceNotification {
        guard let found = try await notification(named: text, on: device) else {
            throw CommandFailure.no(
                "there is no notification '\(text)' on \(device); see 'waypost device notifications'"
            )
        }
        return found
    }
}

/// The `waypost device explain` command, which explains a decision without opening anything.
struct DeviceExplainCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract:
            "Explain what a device would do with a notification, a URL or a content identifier, without doing it.",
        usage: """
            waypost device explain <notification> [--scene <scene>]
            waypost device explain <url> [--app <app>]
            waypost device explain --target-content-id <id> --app <app> [--scene <scene>]
            """,
        discussion: """
            For a notification on the device (its identifier, the start of it, or 'last'): which scene of its app would \
            open, with the verdict of each scene. For a URL: which apps may be offered it and, with --app, whether it is on the app's shelf, with each gate. \
            For an identifier: which scene of the app would open, with the verdict of each scene. Exits with 1 if the answer is no.
            """
    )

    @OptionGroup var device: DeviceOptions

    @Argument(help: "The URL, or the notification.")
    var what: String?

    @Option(
        name: .customLong("target-content-id"),
        help: ArgumentHelp("The target content identifier of a notification.", valueName: "id")
    )
    var targetContentIdentifier: String?

    @Option(help: "The app.", completion: .apps)
    var app: String?

    @Option(help: "Only the verdict of this scene; exits with 1 if another one opens.", completion: .scenes)
    var scene: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    /// The question in the arguments.
    private enum Question {
        case sceneOfNotification(named: String)
        case scene(SceneQuery, of: BundleIdentifier)
        case apps(ofURL: String)
        case highlight(ofURL: String, in: BundleIdentifier)
    }

    private var question: Question {
        get throws(ValidationError) {
            let app = app.map(BundleIdentifier.init(rawValue:))
            switch (what, targetContentIdentifier) {
            case (let what?, nil) where what.isURLArgument:
                guard scene == nil else {
                    throw ValidationError("--scene needs a notification, or --target-content-id")
                }
                return app.map { .highlight(ofURL: what, in: $0) } ?? .apps(ofURL: what)
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
        let question = try question
        try await device.calling { agent, device in
            switch question {
            case .sceneOfNotification(let name):
                let notification = try await agent.neededNotification(named: name, on: device)
                let app = app ?? notification.topic.rawValue
                let query = SceneQuery.notification(notification.targetContentIdentifier)
                try report(try await agent.explainScene(query, of: BundleIdentifier(rawValue: app), on: device))
            case .scene(let query, let app):
                try report(try await agent.explainScene(query, of: app, on: device))
            case .apps(let url): try report(try await agent.explain(url, on: device), on: device)
            case .highlight(let url, let app):
                let explanation = try await agent.explain(url, in: app, on: device)
                try output.write(explanation) { $0.text }
                if !explanation.isSurfaced { throw CommandFailure.no() }
            }
        }
    }

    /// Writes which apps may be offered a URL.
    private func report(_ decisions: [LinkDecision], on device: String) throws {
        try output.write(decisions) { decisions in
            decisions.isEmpty
                ? "no app on \(device) has associated domains"
                : decisions.map(LinksMatchCommand.report).joined(separator: "\n\n")
        }
        if !decisions.contains(where: \.matched) { throw CommandFailure.no() }
    }

    /// Writes a decision, or the part of it about one scene.
    private func report(_ decision: SceneDecision) throws {
        guard let scene else { return try output.write(decision) { $0.text } }
        var part = decision
        part.trace.removeAll { $0.scene.rawValue != scene }
        guard let verdict = part.trace.first else {
            let names = decision.trace.map(\.scene.rawValue)
            let hint =
                scene.nearest(among: names).map { "did you mean '\($0)'?" }
                ?? "its scenes are \(names.joined(separator: ", "))"
            throw CommandFailure.no("the app has no scene '\(scene)'; \(hint)")
        }
        try output.write(part) { $0.text }
        if !verdict.won { throw CommandFailure.no() }
    }
}
