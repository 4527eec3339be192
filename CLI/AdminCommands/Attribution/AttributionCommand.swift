internal import ArgumentParser
internal import Attribution
internal import DeviceModel
internal import Highlights
internal import TextBasics
internal import TextReports
internal import WaypostSchema

/// The `waypost attribution` commands, which draw attribution views.
struct AttributionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attribution",
        abstract: "Draw who shared a link, as a device shows it in an app.",
        subcommands: [AttributionRenderCommand.self]
    )
}

/// The `waypost attribution render` command, which draws an attribution view or one of its menus.
struct AttributionRenderCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Draw an attribution view as SVG or text, and report its layout.",
        usage: """
            waypost attribution render [<journal>] --url <url> [--app <app>] [<preferences>] [--locale <tag>] [--svg]
            waypost attribution render [<journal>] --view <handle> [--app <app>] [<preferences>] [--svg]
            waypost attribution render [<journal>] --url <url> --show menu|disambiguation|offer [--svg]
            waypost attribution render [<journal>] --url <url> --report [--widths <points>,<points>]
            """,
        discussion: """
            The device is the replay of a journal (see 'waypost replay'). --svg prints a picture. Without it, the \
            command prints the contents as text (--format table) or a report of their layout (--format json or jsonl). \
            Each preference of an app is an option; unusual values are reported on standard error. Exits with 1 if no \
            app has a highlight for the URL, and names the gate that stopped it.

            --report lays out the view in every text size, in four languages, at each of the widths.
            """
    )

    /// The part of an attribution to draw.
    enum DrawnPart: String, ExpressibleByArgument, CaseIterable {
        case view
        case menu
        case disambiguation
        case offer
    }

    @Option(help: "The URL of the link.")
    var url: String?

    @Option(help: "The app that shows the link (default: the only one that has it).")
    var app: String?

    @Option(help: ArgumentHelp("The handle of a view that an app requested.", valueName: "handle"))
    var view: String?

    @Option(help: ArgumentHelp("The part to draw.", valueName: "part"))
    var show = DrawnPart.view

    @Flag(help: "Print the picture as SVG.")
    var svg = false

    @Flag(help: "Report the layout in every text size, in four languages.")
    var report = false

    @Option(
        help: ArgumentHelp("With --report: the widths (default: 80,160,320).", valueName: "points,…"),
        transform: AttributionRenderCommand.widths(in:)
    )
    var widths: [Double]?

    @OptionGroup var arguments: JournalArguments

    @Option(help: ArgumentHelp("With --svg: the backdrop of the view (default: none).", valueName: "backdrop"))
    var backdrop: NameArgument<Appearance.Backdrop>?

    @OptionGroup(title: "Preferences") var preferences: PreferenceOptions
    @OptionGroup(title: "User settings") var traits: TraitOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (url == nil) != (view == nil) else {
            throw ValidationError("give exactly one of --url and --view")
        }
        guard !report || (!svg && show == .view) else {
            throw ValidationError("--report cannot be combined with --svg or --show")
        }
        guard output.format == nil || (!svg && show == .view) else {
            throw ValidationError(
                "--format cannot be combined with --svg or --show: pictures and menus have a format of their own"
            )
        }
        guard report || widths == nil else { throw ValidationError("--widths requires --report") }
        guard !report || (traits.locale == nil && traits.contentSizeCategory == nil && preferences.width == nil) else {
            throw ValidationError("--report covers all languages and text sizes; set its widths with --widths")
        }
        guard backdrop == nil || (svg && show == .view) else {
            throw ValidationError("--backdrop requires --svg, and cannot be combined with --show")
        }
    }

    func perform() async throws {
        let device = try arguments.journal.replay()
        let query = try query(on: device)
        let preferences = preferences.applied(to: query.preferences)
        let traits = traits.applied(to: device.attributionTraits(of: query.app))
        guard let drawing = device.drawing(of: query.url, in: query.app, preferences, traits) else {
            throw CommandFailure.failed("\(query.app) has no highlight for '\(query.url)'")
        }
        let menu = AttributionMenu(
            preferences: preferences,
            in: traits.language,
            isUserLanguage: traits.isTranslated
        )
        if report {
            Self.printWarnings(drawing.layout.findings.filter { $0.code != .widthTooSmall })
            try printReport(of: query, preferences, on: device)
        } else if show == .view {
            try print(drawing, menu)
        } else {
            try print(card(of: drawing, query, menu, on: device), traits)
        }
    }

    private func query(on device: DeviceModel) throws(CommandFailure) -> AttributionQuery {
        if let view { return try AttributionQuery(view: view, app: app, on: device) }
        return try AttributionQuery(url: url ?? "", app: app, on: device)
    }

    private func print(_ drawing: AttributionDrawing, _ menu: AttributionMenu) throws {
        var report = AttributionReport(drawing.content, drawing.layout)
        report.findings += menu.findings
        if svg || output.resolvedFormat == .table { Self.printWarnings(report.findings) }
        guard !svg else {
            return try StandardOutput.write(
                drawing.svg(Appearance(style: traits.style.value, backdrop: backdrop?.value ?? .none))
            )
        }
        try output.write(report) { _ in drawing.terminalText }
    }

    private func card(
        of drawing: AttributionDrawing,
        _ query: AttributionQuery,
        _ menu: AttributionMenu,
        on device: DeviceModel
    ) throws(CommandFailure) -> MenuCard {
        let language = drawing.content.language
        switch show {
        case .view, .menu:
            Self.printWarnings(menu.findings)
            return MenuCard(menu)
        case .disambiguation:
            guard drawing.content.conversations.count > 1 else {
                throw .failed("the link is from one conversation only, so there is nothing to choose")
            }
            let menu = drawing.content.disambiguation(app: query.app, url: query.url)
            return MenuCard(menu, people: drawing.content.peopleByConversation, in: language)
        case .offer:
            return MenuCard(offerFor: device.displayName(of: query.app), in: language)
        }
    }

    private func print(_ card: MenuCard, _ traits: AttributionTraits) throws {
        let drawing = MenuCardDrawing(
            card,
            in: traits.language,
            preferredContentSizeCategory: traits.preferredContentSizeCategory,
            layoutDirection: traits.layoutDirection
        )
        try StandardOutput.write(svg ? drawing.svg(self.traits.style.value) : drawing.terminalText)
    }

    private func printReport(
        of query: AttributionQuery,
        _ preferences: AttributionPreferences,
        on device: DeviceModel
    ) throws {
        guard let link = device.sharing.sharedLink(query.url, of: query.app) else { return }
        let report = LayoutReport(link, preferences, widths: widths ?? [80, 160, 320])
        try output.write(report.rows, table: Self.table)
    }

    /// Parses widths in points, separated by commas.
    ///
    /// - Throws: `ValidationError` with the value that is not a width, and the accepted range.
    private static func widths(in argument: String) throws -> [Double] {
        let maximum = AttributionPreferences.maximumLength
        return try argument.split(separator: ",", omittingEmptySubsequences: false).map { string in
            guard let width = Double(string), (0...maximum).contains(width) else {
                throw ValidationError("'\(string)' is not a width; use points from 0 to \(Int(maximum))")
            }
            return width
        }
    }

    /// Returns a report of layouts as a table, with one layout per row.
    private static func table(_ layouts: [LayoutReportRow]) -> String {
        let header = ["Language", "Preferred", "In force", "Width", "Outcome", "Step", "Size", "Text"]
        let rows = layouts.map { row in
            [
                row.language, row.preferredContentSizeCategory.rawValue, row.contentSizeCategory.rawValue,
                "\(row.width)", row.outcome.rawValue, row.step.rawValue, "\(row.size.width) × \(row.size.height)",
                row.text.safe(for: .terminal),
            ]
        }
        return TextTable(header: header, rows: rows).text
    }

    /// Writes findings to standard error.
    private static func printWarnings(_ findings: [AttributionFinding]) {
        for finding in findings { StandardError.write("waypost: \(finding.field): \(finding.message)") }
    }
}

/// The attribution view to draw: one that an app requested, or the one of a link.
struct AttributionQuery {
    let app: BundleIdentifier
    let url: String
    let preferences: AttributionPreferences

    /// Finds the view with a handle.
    ///
    /// - Throws: `CommandFailure` if there is no such view, or if several apps have one; it then names the apps.
    init(view: String, app: String?, on device: DeviceModel) throws(CommandFailure) {
        let matches = device.requestedViews(AttributionViewID(rawValue: view)).filter { requestedView in
            app.map { $0 == requestedView.app.rawValue } ?? true
        }
        guard let requestedView = matches.first else {
            throw .failed("there is no attribution view '\(view)': no app requested it, or it has ended")
        }
        guard matches.count == 1 else {
            let names = matches.map(\.app.rawValue).joined(separator: ", ")
            throw .unusable("several apps have a view '\(view)'; choose one with --app: \(names)")
        }
        (self.app, url, preferences) = (requestedView.app, requestedView.url, requestedView.preferences)
    }

    /// Finds the app that has a highlight for a URL, unless `app` names it.
    ///
    /// - Throws: `CommandFailure` that names the gate that stopped the link, or the apps to choose from.
    init(url: String, app: String?, on device: DeviceModel) throws(CommandFailure) {
        let apps = app.map { [BundleIdentifier(rawValue: $0)] } ?? device.sharing.apps
        let matches = apps.filter { device.sharing.sharedLink(url, of: $0) != nil }
        guard let matchingApp = matches.first else { throw Self.missingHighlight(for: url, in: apps, on: device) }
        guard matches.count == 1 else {
            let names = matches.map(\.rawValue).joined(separator: ", ")
            throw .unusable("several apps have a highlight for '\(url)'; choose one with --app: \(names)")
        }
        (self.app, self.url, preferences) = (matchingApp, url, AttributionPreferences())
    }

    /// Returns the failure that names, for each app, the gate that stopped the link.
    private static func missingHighlight(
        for url: String,
        in apps: [BundleIdentifier],
        on device: DeviceModel
    ) -> CommandFailure {
        guard !apps.isEmpty else { return .failed("the device has no apps, so there is no highlight for '\(url)'") }
        let reasons = apps.map { app in
            let explanation = device.sharing.explanation(of: url, for: app)
            let gate = explanation.gates.first { $0.gate == explanation.decidedBy }
            return "\(app) has no highlight for '\(url)': "
                + (gate.map { "\($0.gate.rawValue): \($0.explanation)" } ?? "")
        }
        return .failed(reasons.joined(separator: "\nwaypost: "))
    }
}
