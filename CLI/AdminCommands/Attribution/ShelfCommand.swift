internal import ArgumentParser
internal import Attribution
internal import DeviceModel
internal import Highlights
internal import WaypostSchema

/// Draws shelves: `waypost shelf`.
struct ShelfCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shelf",
        abstract: "Draw the links from Messages that an app has.",
        subcommands: [ShelfRenderCommand.self]
    )
}

/// Draws an app's shelf: `waypost shelf render`.
struct ShelfRenderCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Draw an app's shelf: its links from Messages with previews, and who shared each.",
        usage: """
            waypost shelf render [<journal>] --app <app> [--previews <file>] [--after <n>] [--more <what>] [--svg]
            waypost shelf render [<journal>] --app <app> --all [--svg]
            """,
        discussion: """
            The device is the replay of a journal (see 'waypost replay'). --previews is a file of the app, JSON Lines such \
            as {"url":"https://tv.example/shows/lasso","title":"A coach abroad","subtitle":"Season 1"}, with a thumbnail as \
            a data: URL where there is one. Behind --after items there is a Show More; --all draws what it leads to. \
            Without --svg the shelf is printed as text. Exits 1 where the app has nothing to show, and says why.
            """
    )

    @Option(help: "The app.")
    var app: String

    @Option(help: ArgumentHelp("The previews that the app supplies, as JSON Lines.", valueName: "file"))
    var previews: String?

    @Option(help: ArgumentHelp("How many items are shown in front of Show More.", valueName: "n"))
    var after = 4

    @Option(help: ArgumentHelp("What Show More does.", valueName: "what"))
    var more = NameArgument(ShowMore.Style.expandsInPlace)

    @Flag(help: "Draw all items: the expanded shelf, or the list that Show More opens.")
    var all = false

    @Option(help: ArgumentHelp("The width of the shelf, in points.", valueName: "points"))
    var width = 390

    @Flag(help: "Print the picture as SVG.")
    var svg = false

    @OptionGroup var journal: Journal

    @OptionGroup(title: "The person's settings") var settings: TraitOptions

    func validate() throws {
        guard after >= 0 else { throw ValidationError("--after must not be negative") }
        guard (0...Int(AttributionPreferences.greatestLength)).contains(width) else {
            throw ValidationError(
                "--width is a number of points from 0 to \(Int(AttributionPreferences.greatestLength))"
            )
        }
        guard previews != "-" || journal.path != "-" else {
            throw ValidationError("the journal and the previews cannot both be standard input")
        }
    }

    func perform() async throws {
        let previews = try previewsByURL()
        let device = try journal.replayed()
        let app = BundleIdentifier(rawValue: app)
        guard let report = device.sharing.report(on: app, from: 0, limit: 0) else {
            throw CommandFailure.unusable(ReplayCommand.missing(app, on: device))
        }
        guard report.state == .ready else { throw CommandFailure.no("\(app): \(report.explanation)") }
        let traits = settings.applied(to: device.traits)
        let showMore = ShowMore(items: report.total, after: after, isExpanded: all, style: more.value)
        let cards = device.shelf(of: app, limit: showMore.shown, traits.language) { previews[$0] }
        let drawing = ShelfDrawing(
            ShelfContent(cards, showMore, in: traits.language),
            width: width,
            preferredContentSizeCategory: traits.preferredContentSizeCategory
        )
        try StandardOutput.write(svg ? drawing.svg(settings.style.value) : drawing.terminalText)
    }

    private func previewsByURL() throws -> [String: LinkPreview] {
        var found: [String: LinkPreview] = [:]
        guard let previews else { return found }
        try LineInput(files: [previews]).forEach(LinkPreview.self) { found[$0.url] = $0 }
        return found
    }
}
