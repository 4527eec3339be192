import ArgumentParser
import Foundation
import Testing
import TextReports

@testable import AdminCommands

/// Tests of the output of commands: `docs/output.md` is a snapshot of it.
@Suite struct OutputDocumentTests {
    /// If `WAYPOST_WRITE_DOCS=1` is set, the test first writes the page.
    @Test func pageHasTheOutputOfTheCommands() throws {
        let text = try OutputDocument().text
        if ProcessInfo.processInfo.environment["WAYPOST_WRITE_DOCS"] == "1" {
            try Data(text.utf8).write(to: OutputDocument.file)
        }
        let page = (try? String(contentsOf: OutputDocument.file, encoding: .utf8)) ?? ""
        let pairs = zip(page.split(separator: "\n"), text.split(separator: "\n"))
        let difference = pairs.first { $0 != $1 }.map { "found \($0), expected \($1)" } ?? "its end differs"
        #expect(page == text, "docs/output.md: \(difference). To write it again: \(OutputDocument.command)")
    }

    @Test func everyCommandWithAFormatIsOnThePage() {
        let documented = OutputType.all.flatMap { $0.listedBy + $0.printedBy } + OutputType.elsewhere.keys
        for path in Self.commandsWithAFormat(WaypostCommand.self, path: []) {
            #expect(documented.contains { $0 == path || $0.hasPrefix(path + " ") }, "waypost \(path)")
        }
    }

    private static func commandsWithAFormat(_ command: any ParsableCommand.Type, path: [String]) -> [String] {
        let isOne = WaypostCommand.helpMessage(for: command).contains("--format <format>")
        return (isOne ? [path.joined(separator: " ")] : [])
            + command.allSubcommands.flatMap { commandsWithAFormat($0, path: path + [$0.name]) }
    }

    @Test(arguments: OutputType.all.filter { $0.example != nil }.map(\.name))
    func describedFieldsAreThoseOfTheObject(_ name: String) throws {
        let type = try #require(OutputType.all.first { $0.name == name })
        let example = try #require(type.example)
        let object = try JSONSerialization.jsonObject(with: Data(JSONOutput.line(example).utf8)) as? [String: Any]
        #expect(try #require(object).keys.sorted() == type.fields?.map(\.name))
    }

    @Test(arguments: OutputExample.all.map(\.command)) func tableFitsTheTerminal(_ command: String) throws {
        let example = try #require(OutputExample.all.first { $0.command == command })
        for line in example.table.split(separator: "\n") {
            #expect(String(line).displayWidth <= 80, "\(line)")
            #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }, "\(line)")
        }
    }
}
