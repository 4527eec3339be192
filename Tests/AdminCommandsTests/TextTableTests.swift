import Testing

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

    @Test func tableWithoutRowsHasOnlyAHeader() {
        #expect(TextTable(header: ["A"], rows: []).text == "A\n─")
    }
}
