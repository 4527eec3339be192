internal import ArgumentParser
internal import GatewayClient
internal import TextBasics
internal import WaypostSchema

/// The `waypost device attribution` command, which shows who shared a link, as the device draws it in an app.
struct DeviceAttributionCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "attribution",
        abstract: "Show who shared a link, as a device draws it in an app: as text, as a picture or as a layout.",
        usage: """
            waypost device attribution <url> [--app <app>] [<preferences>] [--locale <tag>] [--svg]
            waypost device attribution --view <handle> [--app <app>] [<preferences>] [--svg]
            waypost device attribution <url> --show menu|disambiguation|offer --svg
            waypost device attribution --show presentation --svg
            waypost device attribution <url> --journal <file> [--at <time>] [--report [--widths <points>,<points>]]
            """,
        discussion: """
            Draws from a device of an agent or, with --journal, from the replay of a journal; the same options give \
            the same picture. --svg prints a picture. Without it, the command prints the label of the view, in JSON \
            also its layout; with --journal, menus are printed as text. Each preference of an app is an option; unusual \
            values are reported on standard error. Exits with 1 if no app has a highlight for the URL; \
            'waypost device explain <url> --app <app>' says why.

            --show offer draws an open offer of automatic sharing; with --journal, also one that is not open. \
            --show presentation draws the menu or the conversation over an app, or else the first open offer.

            --report lays out the view of a journal in every text size, in four languages, at each of the widths.
            """
    )

    @OptionGroup var source: DeviceOrJournalOptions

    @Argument(help: "The URL of the link.")
    var url: String?

    @Option(help: "The app that shows the link (default: the only one that has it).", completion: .apps)
    var app: String?

    @Option(help: ArgumentHelp("Instead of a URL: the handle of a view that an app requested.", valueName: "handle"))
    var view: String?

    @OptionGroup var picture: AttributionPictureOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        try picture.check(target, urlArgument: "<url>", output)
        guard source.journal == nil else { return }
        guard !picture.report else { throw ValidationError("--report requires --journal") }
        guard picture.show == .view || picture.svg else {
            throw ValidationError("--show requires --svg, or --journal, from which it also prints text")
        }
    }

    private var target: AttributionTarget {
        AttributionTarget(url: url, view: view, app: app)
    }

    func perform() async throws {
        guard picture.show != .presentation else {
            return try await source.read { model in
                try picture.writePresentation(on: model)
            } call: { agent, device in
                try await picture.writePresentation(on: device, of: agent)
            }
        }
        try await writeLink()
    }

    private func writeLink() async throws {
        try await source.read { model in
            try picture.write(target.link(on: model), on: model, to: output) { _, report in
                report.label.safe(for: .terminal)
            }
        } call: { agent, device in
            let link = try await target.parameter(on: device, of: agent)
            do {
                try await picture.write(link, on: device, of: agent, to: output)
            } catch let error as CallError {
                guard case .refused(_, let answer) = error, answer.code == "noHighlight" else { throw error }
                throw CommandFailure.failed(
                    "\(link.app) has no highlight for the link; 'waypost device explain \(url ?? "<url>") --app "
                        + "\(link.app)' says why"
                )
            }
        }
    }
}
