import Testing
import TextReports

@testable import AdminCommands

@Suite struct TextTableTests {
    @Test func columnsAreAsWideAsTheirWidestCell() {
        let table = TextTable(header: ["A", "Long header"], rows: [["wide cell", "x"], ["é", ""]])
        #expect(
            table.text == """
                A          Long header
                ─          ───────────
                wide cell  x
                é
                """
        )
    }

    @Test func cellNeitherStartsARowNorControlsTheTerminal() {
        let table = TextTable(header: ["A", "B"], rows: [["x\nforged  row", "\u{1B}[2J\u{9B}\u{202E}"]])
        #expect(table.text == "A              B\n─              ─\nx\u{FFFD}forged  row  \u{FFFD}[2J\u{FFFD}\u{FFFD}")
    }

    @Test func tableWithoutRowsHasOnlyAHeader() {
        #expect(TextTable(header: ["A"], rows: []).text == "A\n─")
    }
}
