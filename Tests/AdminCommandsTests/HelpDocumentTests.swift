import ArgumentParser
import Foundation
import Testing
import WaypostTestSupport

@testable import AdminCommands

/// The text of `docs/cli.md`, generated from the help of all commands.
private struct HelpDocument {
    static let file = Repository.root.appending(path: "docs/cli.md")
    static let command = "WAYPOST_WRITE_DOCS=1 make test FILTER=HelpDocumentTests"

    /// A command with its whole name.
    fileprivate typealias Entry = (path: String, command: any ParsableCommand.Type)

    var text: String {
        let entries = Self.entries(of: WaypostCommand.self, path: "waypost")
        return ([Self.head] + entries.map(Self.chapter)).joined(separator: "\n")
    }

    private static let head = """
        # The commands of waypost

        This page has the help of each command, as `waypost help <command>` prints it, and `waypost help all` that of the
        first one. It is generated:

            \(command)

        """

    fileprivate static func entries(of command: any ParsableCommand.Type, path: String) -> [Entry] {
        [(path, command)] + command.allSubcommands.flatMap { entries(of: $0, path: "\(path) \($0.name)") }
    }

    private static func chapter(_ entry: Entry) -> String {
        let help = HelpText.help(of: entry.command, path: entry.path, columns: 100)
        return "## \(entry.path)\n\n```text\n\(help)\n```\n"
    }
}

/// Tests of the help of all commands.
@Suite struct HelpDocumentTests {
    /// If `WAYPOST_WRITE_DOCS=1` is set, the test first writes the page.
    @Test func pageHasTheHelpOfEveryCommand() throws {
        let text = HelpDocument().text
        if ProcessInfo.processInfo.environment["WAYPOST_WRITE_DOCS"] == "1" {
            try Data(text.utf8).write(to: HelpDocument.file)
        }
        let page = (try? String(contentsOf: HelpDocument.file, encoding: .utf8)) ?? ""
        let pairs = zip(page.split(separator: "\n"), text.split(separator: "\n"))
        let difference = pairs.first { $0 != $1 }.map { "found \($0), expected \($1)" } ?? "its end differs"
        #expect(page == text, "docs/cli.md: \(difference). To write it again: \(HelpDocument.command)")
    }

    @Test func everyOptionHasHelp() {
        let text = HelpDocument().text
        let bare = text.split(separator: "\n").filter {
            $0.wholeMatch(of: #/  (-[a-z], )?--[a-z-]+( <[a-z-]+>)?/#) != nil
        }
        // A long option has its help on the next line.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for line in bare {
            let next = lines.firstIndex(of: line).map { lines[$0 + 1] } ?? ""
            #expect(next.hasPrefix("          "), "\(line) has no help")
        }
    }

    /// A group of commands has none.
    @Test func everyCommandHasAnExampleThatItAccepts() throws {
        let entries = HelpDocument.entries(of: WaypostCommand.self, path: "waypost")
        let leaves = entries.filter { $0.command.allSubcommands.isEmpty }
        #expect(Set(leaves.map(\.path)) == Set(CommandExamples.all.keys))
        for entry in leaves {
            let words = Self.words(of: CommandExamples.all[entry.path] ?? "")
            let path = entry.path.split(separator: " ").dropFirst().map(String.init)
            #expect(throws: Never.self, "\(entry.path)") { _ = try WaypostCommand.parseAsRoot(path + words) }
        }
    }

    /// Returns the words of a line as a shell splits it; single quotes keep spaces.
    private static func words(of line: String) -> [String] {
        line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
            index.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
        }
    }

    @Test func overviewFitsOnAScreen() {
        let lines = HelpText.overview.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 20)
        #expect(lines.allSatisfy { $0.count <= 110 })
        for topic in ["all", "gateway", "agent"] { #expect(HelpText.overview.contains("waypost help \(topic)")) }
    }

    @Test(arguments: [
        (
            "USAGE: waypost a b [--gateway <url>] [--namespace <namespace>] <id> [--quiet]\n\nX",
            "USAGE: waypost a b [<options>] <id>\n\nX"
        ),
        ("USAGE: waypost a <options>\n\nX", "USAGE: waypost a <options>\n\nX"),
        ("Error: no\nUsage: waypost a [--format <format>] [--all]", "Error: no\nUsage: waypost a [<options>] [--all]"),
    ])
    func usageHasNoCommonOptions(_ text: String, _ short: String) {
        #expect(HelpText.withShortUsage(text) == short)
    }
}
