internal import ArgumentParser
internal import GatewayClient
internal import SceneCallbacks
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
            What is opened is a notification (its title, its identifier, or 'last', the newest one), a URL, or the bundle \
            identifier of an app; with --quick-action, a quick action of the app.

            With --callbacks, the answer also has the methods of the app that the system calls, in order; the app's \
            description on the device says which of them it implements. In JSON they are the member 'callbacks' (see \
            'waypost callbacks').
            """
    )

    @OptionGroup var device: DeviceOptions

    @Argument(help: "What to open.")
    var what: String

    @Option(help: ArgumentHelp("The app in which a person taps the URL (default: none).", valueName: "app"))
    var from: String?

    @Option(
        help: ArgumentHelp("The page in the browser on which a person taps the URL (default: none).", valueName: "url")
    )
    var page: String?

    @Option(help: ArgumentHelp("The type of a quick action of the app.", valueName: "type"))
    var quickAction: String?

    @Flag(help: "Show which methods of the app the system calls.")
    var callbacks = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard !what.isEmpty else { throw ValidationError("give a notification, a URL or an app") }
        guard quickAction == nil || !what.isURLArgument && from == nil && page == nil else {
            throw ValidationError("--quick-action is for an app")
        }
        guard from == nil || what.isURLArgument else { throw ValidationError("--from is for a URL") }
        guard page == nil || what.isURLArgument else { throw ValidationError("--page is for a URL") }
        guard page == nil || from == nil else { throw ValidationError("give one of --from and --page") }
    }

    func perform() async throws {
        try await device.withDevice { agent, device in
            if what.isURLArgument {
                let app = from.map(BundleIdentifier.init(rawValue:))
                let openedURL = try await agent.openURL(what, from: app, page: page, on: device)
                // The URL is open already, so the answer must not depend on this.
                let now = output.resolvedFormat == .table ? try? await agent.clock().now : nil
                let answer = try await withCallbacks(openedURL, of: openedURL.opened, agent, device)
                try output.write(answer) { $0.text(below: [Self.text(of: $0.value, at: now)]) }
            } else if let quickAction {
                let app = BundleIdentifier(rawValue: what)
                let openedScene = try await agent.performShortcutItem(quickAction, of: app, on: device)
                try await write(openedScene, agent: agent, device: device)
            } else if let openedScene = try await openNotification(agent, device) {
                try await write(openedScene, agent: agent, device: device)
            } else {
                let openedScene = try await agent.openApp(BundleIdentifier(rawValue: what), on: device)
                let answer = try await withCallbacks(openedScene, of: openedScene, agent, device)
                try output.write(answer) { $0.text(below: [$0.value.text]) }
            }
        }
    }

    private func write(_ opened: OpenedScene, agent: AgentClient, device: String) async throws {
        let answer = try await withCallbacks(opened, of: opened, agent, device)
        try output.write(answer) { answer in
            answer.text(below: [answer.value.text] + [answer.value.decision?.text].compactMap(\.self))
        }
    }

    /// Returns an answer with the calls of the system for the scene that opened, if they are asked for.
    private func withCallbacks<Value: Encodable>(
        _ value: Value,
        of opened: OpenedScene?,
        _ agent: AgentClient,
        _ device: String
    ) async throws -> OpenedWithCallbacks<Value> {
        guard callbacks, let opened else {
            if callbacks, !output.quiet { StandardError.write("no scene opened, so no method is called") }
            return OpenedWithCallbacks(value: value, callbacks: nil)
        }
        let app = try await agent.appDescriptions(on: device).first { $0.bundleIdentifier == opened.app }
        return OpenedWithCallbacks(value: value, callbacks: CallbackSequence(for: opened, of: app))
    }

    /// Returns what opened for a URL, which scene and why, and the reason of each app.
    private static func text(of opened: OpenedURL, at now: Timestamp?) -> TextParts {
        var parts: [any TextPresentable] = [opened.explanation]
        if let scene = opened.opened { parts += [scene.text, scene.decision?.text ?? ""] }
        for link in opened.links { parts.append("\n" + LinksMatchCommand.text(of: link, at: now)) }
        return TextParts(parts)
    }

    /// Opens the notification that the argument names, and returns its scene.
    ///
    /// - Returns: the scene, or `nil` if there is no such notification and the argument may name an app.
    private func openNotification(_ agent: AgentClient, _ device: String) async throws -> OpenedScene? {
        do throws(CallError) {
            return try await agent.open(NotificationID(name: what), on: device)
        } catch {
            guard case .refused(404, let answer) = error, answer.code == "unknownNotification" else { throw error }
        }
        let notifications = try await agent.notifications(of: device)
        if let titled = notifications.last(where: { $0.title == what && $0.presentation != .pending }) {
            return try await agent.open(titled.id, on: device)
        }
        let apps = try await agent.appDescriptions(on: device).map(\.bundleIdentifier.rawValue)
        guard !apps.contains(what) else { return nil }
        guard what != "last" else {
            throw CommandFailure.noNotifications(isInAirplaneMode: await agent.isInAirplaneMode(device))
        }
        let names = notifications.compactMap(\.title) + apps + (notifications.isEmpty ? [] : ["last"])
        let hint =
            (what.urlWithScheme ?? what.nearest(among: names)).map { "did you mean '\($0)'?" }
            ?? "see 'waypost device notifications' and 'waypost device apps'"
        throw CommandFailure.failed("there is no notification, URL or app '\(what)' on the device; \(hint)")
    }
}

/// An answer about something that opened, with the calls of the system.
struct OpenedWithCallbacks<Value: Encodable>: Encodable {
    private enum CodingKeys: CodingKey {
        case callbacks
    }

    /// The answer.
    let value: Value

    /// The calls; `nil` if they were not asked for, or no scene opened.
    let callbacks: CallbackSequence?

    /// Returns the calls as text, below other parts.
    func text(below parts: [any TextPresentable]) -> TextParts {
        TextParts(parts + [callbacks?.text].compactMap(\.self))
    }

    /// Writes the members of the answer, and `callbacks`.
    func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(callbacks, forKey: .callbacks)
    }
}

extension NotificationID {
    /// Creates the identifier that a person gave: whole, its start, or `last` for the newest one.
    init(name: String) {
        // A table may have shortened the identifier.
        self.init(rawValue: name.hasSuffix("…") ? String(name.dropLast()) : name)
    }
}

extension String {
    /// Whether an argument that may name several kinds of things is a URL; no identifier has a colon,
    /// and no URL has a space.
    var isURLArgument: Bool {
        contains(":") && !contains(where: \.isWhitespace)
    }

    /// The URL that an argument without a scheme probably is: a domain with a path, or with `www.`; `nil` otherwise.
    var urlWithScheme: String? {
        let domain = prefix(while: { $0 != "/" })
        guard !isURLArgument, !contains(where: \.isWhitespace), domain.contains("."), !hasPrefix("."),
            domain != self[...] || hasPrefix("www.")
        else {
            return nil
        }
        return "https://" + self
    }
}
