internal import ArgumentParser
internal import Attribution
internal import DeviceModel
internal import GatewayClient
internal import Highlights
internal import TextBasics
internal import TextReports
internal import WaypostSchema

/// The options of the picture of an attribution view or of one of its menus, and of the report on its layout.
///
/// They are the same for a running device and for a journal.
struct AttributionPictureOptions: ParsableArguments {
    /// The part of an attribution to draw.
    enum DrawnPart: String, ExpressibleByArgument, CaseIterable {
        case view
        case menu
        case disambiguation
        case offer

        /// The menu or the conversation that is over an app now.
        case presentation

        /// The kind of picture.
        var kind: PictureKind {
            switch self {
            case .view: .attribution
            case .menu: .menu
            case .disambiguation: .disambiguation
            case .offer: .offer
            case .presentation: .presentation
            }
        }
    }

    @Option(help: ArgumentHelp("The part to draw.", valueName: "part"))
    var show = DrawnPart.view

    @Flag(help: "Print the picture that the device draws, as SVG.")
    var svg = false

    @Flag(help: "Report the layout in every text size, in four languages.")
    var report = false

    @Option(
        help: ArgumentHelp("With --report: the widths (default: 80,160,320).", valueName: "points,…"),
        transform: { try AttributionPictureOptions.widths(in: $0) }
    )
    var widths: [Double]?

    @Option(
        help: ArgumentHelp(
            "With --svg: the backdrop of the view: none, oneColor or colorful (default: none).",
            valueName: "backdrop"
        ),
        completion: .list(Appearance.Backdrop.allCases.map(\.rawValue)),
        transform: { try PictureOption.backdrop.checked($0) }
    )
    var backdrop: String?

    @OptionGroup(title: "Preferences") var preferences: PreferenceOptions
    @OptionGroup(title: "User settings") var traits: TraitOptions

    func validate() throws {
        guard !report || (!svg && show == .view) else {
            throw ValidationError("--report cannot be combined with --svg or --show")
        }
        guard report || widths == nil else { throw ValidationError("--widths requires --report") }
        guard !report || (traits.locale == nil && traits.contentSizeCategory == nil && preferences.width == nil) else {
            throw ValidationError("--report covers all languages and text sizes; set its widths with --widths")
        }
        if let option = values.map(\.option).first(where: { !show.kind.options.contains($0) }) {
            let names = show.kind.options.map(\.argument).joined(separator: ", ")
            throw ValidationError("\(option.argument) is no option of --show \(show.rawValue); use \(names)")
        }
        guard backdrop == nil || svg else { throw ValidationError("--backdrop requires --svg") }
    }

    /// Checks that the arguments name a link if the part is one of a link, and that only reports have a format.
    ///
    /// - Parameters:
    ///   - link: the arguments.
    ///   - name: the name of the argument for a URL.
    ///   - output: the option for the format.
    /// - Throws: `ValidationError`.
    func check(_ link: AttributionTarget, urlArgument name: String, _ output: OutputOptions) throws {
        if show == .presentation {
            guard link.url == nil, link.view == nil, link.app == nil else {
                throw ValidationError("--show presentation draws what is over an app now: leave out the link and --app")
            }
        } else if (link.url == nil) == (link.view == nil) {
            throw ValidationError("give exactly one of \(name) and --view")
        }
        guard output.format == nil || (!svg && show == .view) else {
            throw ValidationError(
                "--format cannot be combined with --svg or --show: pictures and menus have a format of their own"
            )
        }
    }

    private var values: [PictureOptionValue] {
        [PictureOptionValue(.backdrop, backdrop)].compactMap(\.self) + preferences.values + traits.values
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
}

// MARK: The replay of a journal

extension AttributionPictureOptions {
    /// Writes what a device shows of a link, or the report on it.
    ///
    /// - Parameters:
    ///   - link: the link.
    ///   - device: the device.
    ///   - output: the format of reports.
    ///   - text: returns the view as text, for the format `table`.
    /// - Throws: `CommandFailure` if there is no such picture.
    func write(
        _ link: PicturedLink,
        on device: DeviceModel,
        to output: OutputOptions,
        text: (DevicePicture, AttributionReport) -> String
    ) throws {
        let (picture, attributionReport) = try drawn(link, on: device)
        if report {
            printWarnings(attributionReport.findings)
            try printReport(on: link, device, output)
        } else if show != .view || svg {
            printWarnings(attributionReport.findings)
            let appearance = try PictureOptions(values).appearance
            try StandardOutput.write(svg ? picture.svg(appearance) : picture.terminalText)
        } else {
            let viewText = text(picture, attributionReport)
            if output.resolvedFormat == .table { printWarnings(attributionReport.findings) }
            try output.write(attributionReport) { _ in viewText }
        }
    }

    /// Writes what is over an app on a device now.
    ///
    /// - Throws: `CommandFailure` if it is nothing.
    func writePresentation(on device: DeviceModel) throws {
        let options = try PictureOptions(values)
        do {
            let picture = try device.presentationPicture(options)
            try StandardOutput.write(svg ? picture.svg(options.appearance) : picture.terminalText)
        } catch let ignored as IgnoredEvent {
            throw CommandFailure.failed(ignored.explanation)
        }
    }

    private func drawn(
        _ link: PicturedLink,
        on device: DeviceModel
    ) throws(CommandFailure) -> (picture: DevicePicture, report: AttributionReport) {
        let options = try PictureOptions(values)
        do throws(IgnoredEvent) {
            let picture = try device.picture(show.kind, of: link, options)
            return (picture, try device.attributionReport(on: link, options))
        } catch {
            throw .failed(error.explanation)
        }
    }

    private func printReport(on link: PicturedLink, _ device: DeviceModel, _ output: OutputOptions) throws {
        guard let sharedLink = device.sharing.sharedLink(link.url, of: link.app) else { return }
        let preferences = try PictureOptions(values).applied(to: link.preferences)
        let report = LayoutReport(sharedLink, preferences, widths: widths ?? [80, 160, 320])
        try output.write(report.rows, table: Self.table)
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

    /// Writes the findings about what is drawn to standard error.
    private func printWarnings(_ findings: [AttributionFinding]) {
        let menuCodes: [AttributionFinding.Code] = [.hideTitleWithoutRemove, .blankMenuItem, .repeatedMenuItem]
        for finding in findings {
            let isShown =
                switch show {
                case .view: !report || finding.code != .widthTooSmall
                case .menu: menuCodes.contains(finding.code)
                case .disambiguation, .offer, .presentation: false
                }
            if isShown { StandardError.write("waypost: \(finding.field): \(finding.message)") }
        }
    }
}

// MARK: A running device

extension AttributionPictureOptions {
    /// Writes what a device of an agent shows of a link, or the report on it.
    ///
    /// - Parameters:
    ///   - link: the app, and the parameter of a query that names the link.
    ///   - device: the name of the device.
    ///   - agent: the agent.
    ///   - output: the format of the report.
    /// - Throws: `CallError`, or `CommandFailure` if the output cannot be written.
    func write(
        _ link: AttributionTarget.Parameter,
        on device: String,
        of agent: AgentClient,
        to output: OutputOptions
    ) async throws {
        guard svg else {
            let report = try await attributionReport(on: link, of: device, agent)
            if output.resolvedFormat == .table { printWarnings(report.findings) }
            return try output.write(report) { $0.label.safe(for: .terminal) }
        }
        // The agent draws an offer without a link, so only the report checks that the app has a highlight for it. A
        // disambiguation menu has no findings, and its picture requires a highlight.
        if show != .disambiguation {
            printWarnings(try await attributionReport(on: link, of: device, agent).findings)
        }
        let query = (show == .offer ? [] : [link.parameter]) + values.map(\.parameter)
        try StandardOutput.write(try await agent.picture(show.kind.rawValue, in: link.app, query: query, on: device))
    }

    private func attributionReport(
        on link: AttributionTarget.Parameter,
        of device: String,
        _ agent: AgentClient
    ) async throws(CallError) -> AttributionReport {
        let reportValues = values.filter { PictureOption.ofReport.contains($0.option) }
        return try await agent.attribution(
            in: link.app,
            query: [link.parameter] + reportValues.map(\.parameter),
            on: device
        )
    }

    /// Writes what is over an app on a device of an agent now, as SVG.
    ///
    /// - Throws: `CallError`, or `CommandFailure` if the output cannot be written.
    func writePresentation(on device: String, of agent: AgentClient) async throws {
        let picture = try await agent.presentationPicture(query: values.map(\.parameter), on: device)
        try StandardOutput.write(picture)
    }
}
