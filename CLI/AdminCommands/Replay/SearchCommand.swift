internal import ArgumentParser
internal import DeviceModel
internal import Highlights
internal import TextReports
internal import WaypostSchema

/// The `waypost search` command, which searches the links from Messages as the user would.
struct SearchCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search the links from Messages on a device, pinned ones first, and explain why each was found.",
        usage: "waypost search <query> [<journal>] [--limit <n>] [--at <time>]",
        discussion: """
            Finds links that pass the same gates as the highlights of apps, by words in their URLs, in messages, and \
            in the names of senders and conversations. The device is the replay of a journal (see 'waypost replay'). \
            Exits with 1 if nothing is found.
            """
    )

    @Argument(help: "The words to find; an empty query finds everything.")
    var query: String

    @Option(help: "The maximum number of links.")
    var limit = 20

    @OptionGroup var journal: Journal

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard limit >= 0 else { throw ValidationError("--limit must not be negative") }
    }

    func perform() async throws {
        let found = try journal.replayed().sharing.search(query, limit: limit)
        try output.write(found, table: Self.table)
        guard !found.isEmpty else { throw CommandFailure.no() }
    }

    /// Returns found links as a table.
    static func table(_ links: [FoundLink]) -> any TextPresentable {
        guard !links.isEmpty else { return "Nothing is found." }
        let rows = links.map { link in
            [
                link.isPinned ? "pinned" : "", link.url, link.apps.map(\.rawValue).joined(separator: ", "),
                link.explanation,
            ]
        }
        return TextTable(header: ["", "URL", "Apps", "Why"], rows: rows)
    }
}
