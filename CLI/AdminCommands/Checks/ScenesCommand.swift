internal import ArgumentParser
internal import DeviceFiles
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
            conditions that its process sets replace those of its scenes.

            Without --target-content-id, --webpage-url and --url: works as a filter. Each line \
            {"targetContentIdentifier":"…"} is answered with the chosen scene and the trace of every scene. A line may \
            name its "carrier", which contains the identifier: notification, shortcutItem, userActivity (optionally with a "webpageURL") or \
            urlContext (with a "url"). Exits with 0, or with 2 at the first line that cannot be read.
            """
    )

    @Option(help: ArgumentHelp("The file that describes the app and its scenes.", valueName: "file"))
    var scenes: String

    @Option(
        name: .customLong("target-content-id"),
        help: ArgumentHelp("The target content identifier; empty for none.", valueName: "id")
    )
    var targetContentIdentifier: String?

    @Option(help: ArgumentHelp("Select as for a user activity about this page.", valueName: "url"))
    var webpageURL: String?

    @Option(help: ArgumentHelp("Select as for a URL to open.", valueName: "url"))
    var url: String?

    @Flag(help: "Let a scene prefer only what it can display (the narrower reading of the rules).")
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
        let app = try AppFile.read(scenes).appAfterLaunch
        let candidates = try app.scenes.map { try SceneCandidate($0) }
        let rules = SelectionRules(
            supportsMultipleScenes: app.supportsMultipleScenes,
            prefersOnlyAmongCapable: prefersOnlyAmongCapable,
            declarations: app.declarations ?? []
        )
        var writer: AnswerWriter<SceneDecision> = output.writer { $0.map(\.text).joined(separator: "\n\n") }
        let writeDecision = { (query: SceneQuery) in
            try writer.write(SceneSelection.select(for: query, among: candidates, rules: rules))
        }
        if let query {
            try writeDecision(query)
        } else {
            try LineInput(files: files).forEach(SceneQuery.self, writeDecision)
        }
        try writer.finish()
    }

    /// The query in the options, or `nil` if they have none.
    private var query: SceneQuery? {
        let identifier = targetContentIdentifier.map(TargetContentIdentifier.init(rawValue:))
        if let url { return .urlContext(url) }
        if let webpageURL { return .userActivity(identifier, webpageURL: webpageURL) }
        return identifier.map(SceneQuery.notification)
    }
}
