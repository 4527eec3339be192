internal import ArgumentParser
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
            What is opened is a notification (its title, its identifier, or 'last', the newest one), a URL, or the bundle \
            identifier of an app; with --quick-action, a quick action of the app.
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
                try output.write(openedURL) { Self.text(of: $0, at: now) }
            } else if let quickAction {
                let app = BundleIdentifier(rawValue: what)
                let openedScene = try await agent.performShortcutItem(quickAction, of: app, on: device)
                try output.write(openedScene) { TextParts([$0.text, $0.decision?.text ?? ""]) }
            } else if let openedScene = try await openNotification(agent, device) {
                try output.write(openedScene) { TextParts([$0.text, $0.decision?.text ?? ""]) }
            } else {
                let openedScene = try await agent.openApp(BundleIdentifier(rawValue: what), on: device)
                try output.write(openedScene) { $0.text }
            }
        }
    }

    /// Returns what opened for a URL, and the reason of each app.
    private static func text(of opened: OpenedURL, at now: Timestamp?) -> String {
        let decisions = opened.links.map { LinksMatchCommand.text(of: $0, at: now) }
        return ([opened.explanation] + decisions).joined(separator: "\n\n")
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
        let names = notifications.compactMap(\.title) + apps + ["last"]
        let hint =
            what.nearest(among: names).map { "did you mean '\($0)'?" }
            ?? "see 'waypost device notifications' and 'waypost device apps'"
        throw CommandFailure.failed("there is no notification, URL or app '\(what)' on the device; \(hint)")
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
}
