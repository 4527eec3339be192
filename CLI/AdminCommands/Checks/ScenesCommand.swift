internal import ArgumentParser
internal import DeviceFiles
internal import DeviceModel
internal import SchemaFiles
internal import Targeting
internal import WaypostSchema

/// The `waypost scenes` commands, which select scenes.
struct ScenesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenes",
        abstract: "Show which scene of an app opens, and why.",
        subcommands: [ScenesSelectCommand.self]
    )
}

/// The `waypost scenes select` command, which selects scenes.
struct ScenesSelectCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "select",
        abstract: "Select the scene that opens for a target content identifier, and explain why.",
        usage: """
            waypost scenes select --scenes <file> --target-content-id <id> [--webpage-url <url>]
            waypost scenes select --scenes <file> --url <url>
            waypost scenes select --scenes <file> [<file> ...]
            """,
        discussion: """
            The scenes file describes one app in YAML or JSON: bundleIdentifier, scenes, and supportsMultipleScenes. \
            Its schema is AppDescription in 'waypost schema'. An app file of 'waypost app run' is such a file; the \
            conditions that its process sets replace those of its scenes. In a device file, --app names the app, and \
            the device's settings count.

            Without --target-content-id, --webpage-url and --url: works as a filter. Each line \
            {"targetContentIdentifier":"…"} is answered with the chosen scene and the trace of every scene. A line may \
            name its "carrier", which contains the identifier: notification, shortcutItem, userActivity (optionally \
            with a "webpageURL") or urlContext (with a "url"). Exits with 0, or with 2 at the first line that cannot \
            be read.
            """
    )

    @Option(help: ArgumentHelp("The file that describes the app and its scenes, or a device.", valueName: "file"))
    var scenes: String

    @Option(help: "The app, if the file describes a device (default: its only app).", completion: .apps)
    var app: String?

    @Option(
        name: .customLong("target-content-id"),
        help: ArgumentHelp("The target content identifier; empty for none.", valueName: "id")
    )
    var targetContentIdentifier: String?

    @Option(help: ArgumentHelp("Select as for a user activity about this page.", valueName: "url"))
    var webpageURL: String?

    @Option(help: ArgumentHelp("Select as for a URL to open.", valueName: "url"))
    var url: String?

    @Flag(help: "Let a scene prefer only what it can display; the key prefersOnlyAmongCapable of a device file.")
    var prefersOnlyAmongCapable = false

    @OptionGroup var output: OutputOptions

    @Argument(help: "Files of JSON Lines; '-' or no file: standard input.")
    var files: [String] = []

    func validate() throws {
        guard query == nil || files.isEmpty else {
            throw ValidationError("--target-content-id, --webpage-url and --url cannot be combined with files")
        }
        guard url == nil || (targetContentIdentifier == nil && webpageURL == nil) else {
            throw ValidationError(
                "--url is an identifier itself; do not combine it with --target-content-id or --webpage-url"
            )
        }
    }

    func perform() async throws {
        let decision = try FileText.readingOnce(scenes) {
            let isDeviceFile = (try? CheckedKind.kind(of: scenes, preferring: .app)) == .device
            return try isDeviceFile ? deviceDecision : appDecision
        }
        var writer: AnswerWriter<SceneDecision> = output.writer { $0.map(\.text).joined(separator: "\n\n") }
        let writeDecision = { (query: SceneQuery) in
            try writer.write(decision(query))
        }
        if let query {
            try writeDecision(query)
        } else {
            try LineInput(files: files).forEach(SceneQuery.self, writeDecision)
        }
        try writer.finish()
    }

    /// The decisions of the app that an app file describes.
    private var appDecision: (SceneQuery) -> SceneDecision {
        get throws {
            let file = try AppFile.read(scenes)
            guard app == nil || app == file.app.bundleIdentifier.rawValue else {
                throw CommandFailure.unusable("\(scenes) describes \(file.app.bundleIdentifier); leave out --app")
            }
            let described = file.appAfterLaunch
            let candidates = try described.scenes.map { session in
                var session = session
                session.activationConditions = try session.activationConditions.packaged(with: described.values ?? [:])
                return try SceneCandidate(session)
            }
            let rules = SelectionRules(
                supportsMultipleScenes: described.supportsMultipleScenes,
                prefersOnlyAmongCapable: prefersOnlyAmongCapable,
                declarations: described.declarations ?? []
            )
            return { SceneSelection.select(for: $0, among: candidates, rules: rules) }
        }
    }

    /// The decisions of the device that a device file describes, with its settings.
    private var deviceDecision: (SceneQuery) -> SceneDecision {
        get throws {
            var description = try DeviceFile(scenes, .device()).description
            if prefersOnlyAmongCapable { description.prefersOnlyAmongCapable = true }
            let apps = description.apps.map(\.bundleIdentifier)
            guard let chosen = app.map(BundleIdentifier.init(rawValue:)) ?? (apps.count == 1 ? apps.first : nil),
                apps.contains(chosen)
            else {
                let list = apps.map(\.rawValue).joined(separator: ", ")
                throw CommandFailure.unusable("--app must name an app of \(scenes), one of \(list)")
            }
            let device = try DeviceModel(description)
            return { query in
                device.sceneDecision(for: query, of: chosen) ?? SceneSelection.select(for: query, among: [])
            }
        }
    }

    /// The query in the options, or `nil` if they have none.
    private var query: SceneQuery? {
        let identifier = targetContentIdentifier.map(TargetContentIdentifier.init(rawValue:))
        if let url { return .urlContext(url) }
        if let webpageURL { return .userActivity(identifier, webpageURL: webpageURL) }
        return identifier.map(SceneQuery.notification)
    }
}
