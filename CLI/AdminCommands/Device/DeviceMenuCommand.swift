internal import ArgumentParser
internal import Attribution
internal import DeviceModel
internal import GatewayClient
internal import Highlights
internal import TextBasics
internal import TextReports
internal import WaypostSchema

/// The `waypost device menu` command, which shows the context menu of a link's content, and chooses from it.
struct DeviceMenuCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "menu",
        abstract: "Show the context menu of a link's content in an app, or choose an item of it.",
        discussion: """
            The menu has the app's items ('contextMenu' of an app in a device file), and the items of the attribution \
            view, inline or at the end. The first line says where those are, or why they are missing.
            """
    )

    @OptionGroup var source: DeviceOrJournalOptions

    @Argument(help: "The URL of the link.")
    var url: String

    @Option(help: "The app that shows the content (default: the only one that has the link).", completion: .apps)
    var app: String?

    @Option(help: ArgumentHelp("Choose this item: its identifier or its title.", valueName: "item"))
    var choose: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard choose == nil || source.journal == nil else {
            throw ValidationError("--choose needs an agent; leave out --journal")
        }
    }

    func perform() async throws {
        let menu = try await source.read { model in
            let apps = model.sharing.apps.filter { model.sharing.sharedLink(url, of: $0) != nil }
            let shownIn = try chosenApp(among: apps)
            guard let menu = model.contextMenu(of: url, in: shownIn) else {
                throw CommandFailure.unusable(model.missingAppMessage(for: shownIn))
            }
            return menu
        } call: { agent, device in
            let apps = try await agent.explanations(of: url, on: device).filter(\.isSurfaced).map(\.app)
            return try await agent.contextMenu(of: url, in: try chosenApp(among: apps), on: device)
        }
        guard let choose else { return try output.write(menu) { $0.text } }
        let item = try Self.item(named: choose, in: menu)
        guard menu.sections.contains(where: { section in section.contains { $0.id == .remove } }) else {
            throw CommandFailure.failed("the device has no part in this menu: \(menu.explanation)")
        }
        let reaction = try await source.device.withDevice { agent, device in
            try await agent.choose(item, ofLink: url, in: menu.app, on: device)
        }
        try output.writeExplainingNone(reaction.effects) { effects in
            effects.isEmpty ? "nothing changed" : effects.map(\.text).joined(separator: "\n")
        }
        let refusals = reaction.effects.compactMap(\.refusal)
        if !refusals.isEmpty, refusals.count == reaction.effects.count { throw CommandFailure.failed() }
    }

    /// Returns the app of the option, or the only one that has the link.
    private func chosenApp(among apps: [BundleIdentifier]) throws(CommandFailure) -> BundleIdentifier {
        if let app { return BundleIdentifier(rawValue: app) }
        guard let only = apps.first, apps.count == 1 else {
            let names = apps.map(\.rawValue).joined(separator: ", ")
            throw .unusable(
                apps.isEmpty
                    ? "no app has a highlight for the link; name one with --app"
                    : "several apps have the link; add --app with one of \(names)"
            )
        }
        return only
    }

    private static func item(named name: String, in menu: ContentMenuReport) throws(CommandFailure) -> MenuItemID {
        let items = menu.sections.flatMap { $0 }
        if let item = items.first(where: { $0.id.rawValue == name || $0.title == name }) { return item.id }
        let names = items.map(\.id.rawValue)
        throw .failed("the menu has no item '\(name)'; it has: \(names.joined(separator: ", "))")
    }
}

extension ContentMenuReport {
    /// The sentence about the attribution view, the findings, and the items by section.
    fileprivate var text: String {
        let lines = [explanation] + findings.map { "! \($0.field): \($0.message)" }
        let sections = sections.map { section in section.map { "  \($0.title) (\($0.id))" } }
        let rows = sections.flatMap { ["  ---"] + $0 }.dropFirst()
        return (lines + rows).map { $0.safe(for: .terminal) }.joined(separator: "\n")
    }
}
