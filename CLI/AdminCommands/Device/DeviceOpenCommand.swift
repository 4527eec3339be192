internal import ArgumentParser
internal import GatewayClient
internal import Targeting
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
        try await device.withDevice { agent, device in
            if what.isURLArgument {
                let app = from.map(BundleIdentifier.init(rawValue:))
                try output.write(try await agent.openURL(what, from: app, on: device)) { $0.explanation }
            } else if let openedScene = try await openNotification(agent, device) {
                try output.write(openedScene) { TextParts([$0.text, $0.decision?.text ?? ""]) }
            } else {
                let openedScene = try await agent.openApp(BundleIdentifier(rawValue: what), on: device)
                try output.write(openedScene) { $0.text }
            }
        }
    }

    /// Opens the notification that the argument names, and returns its scene.
    ///
    /// - Returns: the scene, or `nil` if there is no such notification and the argument may name an app.
    private func openNotification(_ agent: AgentClient, _ device: String) async throws -> OpenedScene? {
        do throws(CallError) {
            return try await agent.open(NotificationID(name: what), on: device)
        } catch {
            guard case .refused(404, let answer) = error, answer.code == "unknownNotification", what.contains(".")
            else {
                throw error
            }
            return nil
        }
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
    /// Whether an argument that may name several kinds of things is a URL; no identifier has a colon.
    var isURLArgument: Bool {
        contains(":")
    }
}
