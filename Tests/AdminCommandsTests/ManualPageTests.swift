import ArgumentParser
import Testing

@testable import AdminCommands

/// Tests of the man pages.
@Suite struct ManualPageTests {
    @Test func everyCommandHasAPage() throws {
        let files = try ManualPage.all(of: WaypostCommand.self).map(\.fileName)
        #expect(Set(files).count == files.count)
        #expect(files.first == "waypost.1")
        #expect(files.contains("waypost-tokens-create.1"))
        #expect(files.count == Self.count(of: WaypostCommand.self))
    }

    private static func count(of command: any ParsableCommand.Type) -> Int {
        command.allSubcommands.reduce(1) { $0 + count(of: $1) }
    }

    @Test func pageHasTheHelpOfItsCommand() throws {
        let pages = try ManualPage.all(of: WaypostCommand.self)
        let page = try #require(pages.first { $0.fileName == "waypost-inbox-purge.1" }).text
        for part in [
            ".SH NAME\nwaypost\\-inbox\\-purge \\- Remove all notifications",
            ".SH SYNOPSIS\n.nf\nwaypost inbox purge [<options>] <device>\n.fi\n",
            ".SH \"GATEWAY\"\n.TP\n.B \"\\-\\-gateway <url>\"\n",
            ".SH \"ARGUMENTS\"\n.TP\n.B \"<device>\"\nThe token or",
            ".SH SEE ALSO\n.BR waypost-inbox (1)\n",
        ] {
            #expect(page.contains(part), "\(part) in\n\(page)")
        }
        #expect(!page.contains("\\-\\-service"))
    }

    @Test func synopsisOfACommandIsTheOneThatItGives() throws {
        let pages = try ManualPage.all(of: WaypostCommand.self)
        let page = try #require(pages.first { $0.fileName == "waypost-send.1" }).text
        #expect(page.contains("\nwaypost send [<file>]\n"))
    }

    @Test(arguments: [
        ("a-b", "a\\-b"), (".x", "\\&.x"), ("'x'", "\\&'x'"), ("a\\b", "a\\eb"), ("x\n.y", "x\n\\&.y"), ("", ""),
    ])
    func charactersOfTheLanguageAreEscaped(_ text: String, _ escaped: String) {
        #expect(Roff.text(text) == escaped)
    }

    @Test func exampleKeepsItsLines() {
        let lines = Roff.paragraphs("First.\n\n  {\n    1\n\nLast.")
        #expect(lines == ["First.", ".PP", ".nf", "  {\n    1", ".fi", ".PP", "Last."])
    }
}
