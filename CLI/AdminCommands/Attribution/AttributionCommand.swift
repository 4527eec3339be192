internal import ArgumentParser
internal import DeviceModel
internal import WaypostSchema

/// The `waypost attribution` commands, which draw attribution views.
struct AttributionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attribution",
        abstract: "Draw who shared a link, as a device shows it in an app.",
        subcommands: [AttributionRenderCommand.self]
    )
}

/// The `waypost attribution render` command, the earlier form of `waypost device attribution --journal`.
struct AttributionRenderCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Draw an attribution view from a journal: 'waypost device attribution' in its earlier form.",
        usage: """
            waypost attribution render [<journal>] --url <url> [--app <app>] [<preferences>] [--locale <tag>] [--svg]
            waypost attribution render [<journal>] --view <handle> [--app <app>] [<preferences>] [--svg]
            waypost attribution render [<journal>] --url <url> --show menu|disambiguation|offer [--svg]
            waypost attribution render [<journal>] --url <url> --report [--widths <points>,<points>]
            """,
        discussion: """
            The options are those of 'waypost device attribution', which also draws from a running device. In the \
            format table, this command prints the view as it is drawn.
            """
    )

    @Option(help: "The URL of the link.")
    var url: String?

    @Option(help: "The app that shows the link (default: the only one that has it).")
    var app: String?

    @Option(help: ArgumentHelp("The handle of a view that an app requested.", valueName: "handle"))
    var view: String?

    @OptionGroup var arguments: JournalArguments

    @OptionGroup var picture: AttributionPictureOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
        try picture.check(target, urlArgument: "--url", output)
    }

    private var target: AttributionTarget {
        AttributionTarget(url: url, view: view, app: app)
    }

    func perform() async throws {
        let device = try arguments.journal.replay()
        guard picture.show != .presentation else { return try picture.writePresentation(on: device) }
        let link = try target.link(on: device)
        try picture.write(link, on: device, to: output) { picture, _ in picture.terminalText }
    }
}
