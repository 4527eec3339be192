internal import ArgumentParser
internal import Attribution
internal import DeviceModel
internal import Highlights
internal import TextReports
internal import WaypostSchema

/// The `waypost shelf` commands, which draw shelves.
struct ShelfCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shelf",
        abstract: "Draw an app's links from Messages.",
        subcommands: [ShelfRenderCommand.self]
    )
}

/// The `waypost shelf render` command, which draws an app's shelf.
struct ShelfRenderCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Draw an app's shelf: its links from Messages, with previews and who shared each link.",
        usage: """
            waypost shelf render [<journal>] --app <app> [--previews <file>] [--after <n>] [--more <effect>] [--svg]
            waypost shelf render [<journal>] --app <app> --all [--svg]
            """,
        discussion: """
            The device is the replay of a journal (see 'waypost replay'). --previews is a file of the app, in JSON \
            Lines such as {"url":"https://tv.example/shows/lasso","title":"A coach abroad","subtitle":"Season 1"}, \
            with an optional thumbnail as a data: URL. After --after items, the shelf shows a Show More button; --all \
            draws what the button opens. Without --svg, the shelf is printed as text. Exits with 1 if the app has \
            nothing to show, with the reason. 'waypost device shelf --svg' draws with the previews that the app supplied.
            """
    )

    @Option(help: "The app.")
    var app: String

    @Option(help: ArgumentHelp("The previews that the app supplies, as JSON Lines.", valueName: "file"))
    var previews: String?

    @Option(help: ArgumentHelp("The number of items before Show More.", valueName: "n"))
    var after = 4

    @Option(help: ArgumentHelp("The effect of Show More.", valueName: "effect"))
    var more = NameArgument(ShowMore.Style.expandsInPlace)

    @Flag(help: "Draw all items: the expanded shelf, or the list that Show More opens.")
    var all = false

    @Option(help: ArgumentHelp("The width of the shelf, in points.", valueName: "points"))
    var width = 390

    @Flag(help: "Print the picture as SVG.")
    var svg = false

    @OptionGroup var arguments: JournalArguments

    @OptionGroup(title: "User settings") var settings: TraitOptions

    func validate() throws {
        guard after >= 0 else { throw ValidationError("--after must not be negative") }
        guard (0...Int(AttributionPreferences.maximumLength)).contains(width) else {
            throw ValidationError(
                "--width must be a number of points from 0 to \(Int(AttributionPreferences.maximumLength))"
            )
        }
        guard previews != "-" || arguments.path != "-" else {
            throw ValidationError("the journal and the previews cannot both be standard input")
        }
    }

    func perform() async throws {
        let previews = try previewsByURL()
        let device = try arguments.journal.replay()
        let app = BundleIdentifier(rawValue: app)
        guard let report = device.sharing.report(on: app, from: 0, limit: 0) else {
            throw CommandFailure.unusable(device.missingAppMessage(for: app))
        }
        guard report.state == .ready else { throw CommandFailure.failed("\(app): \(report.explanation)") }
        var options = try PictureOptions(settings.values)
        options.limit = after
        let picture = device.shelfPicture(
            of: app,
            options,
            showMore: more.value,
            isExpanded: all,
            width: width
        ) { previews[$0] }
        try StandardOutput.write(svg ? picture.svg(options.appearance) : picture.terminalText)
    }

    private func previewsByURL() throws -> [String: LinkPreview] {
        var previewsByURL: [String: LinkPreview] = [:]
        guard let previews else { return previewsByURL }
        try LineInput(files: [previews]).forEach(LinkPreview.self) { previewsByURL[$0.url] = $0 }
        return previewsByURL
    }
}
