import Testing
import TextReports

@testable import AdminCommands

@Suite struct TextTableTests {
    private static func terminal(_ columns: Int, hasColors: Bool = false) -> TextStyle {
        TextStyle(columns: columns, hasColors: hasColors)
    }

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
        #expect(table.text == "A              B\n─              ─\nx forged  row  \u{FFFD}[2J\u{FFFD}\u{FFFD}")
    }

    @Test func tableWithoutRowsHasOnlyAHeader() {
        #expect(TextTable(header: ["A"], rows: []).text == "A\n─")
    }

    @Test func widestColumnsAreShortenedToTheTerminal() {
        let row = ["short", String(repeating: "a", count: 40), String(repeating: "b", count: 30)]
        let text = TextTable(header: ["One", "Two", "Three"], rows: [row]).text(in: Self.terminal(49))
        let lines = text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.displayWidth <= 49 })
        #expect(lines[2] == "short  \(String(repeating: "a", count: 19))…  \(String(repeating: "b", count: 19))…")
    }

    @Test func columnsAreNotShortenedBeyondUse() {
        let row = Array(repeating: "0123456789", count: 10)
        let text = TextTable(header: Array(repeating: "H", count: 10), rows: [row]).text(in: Self.terminal(20))
        #expect(text.split(separator: "\n")[2].hasPrefix("0123456…  0123456…"))
    }

    @Test func colorsAreOnlyOnATerminalThatHasThem() {
        let table = TextTable(header: ["State"], rows: [["rejected"], ["other"]]) { _, text in
            text == "rejected" ? .red : nil
        }
        #expect(table.text(in: Self.terminal(80, hasColors: true)).hasSuffix("\n\u{1B}[31mrejected\u{1B}[0m\nother"))
        #expect(table.text(in: Self.terminal(80)).hasSuffix("\nrejected\nother"))
        #expect(table.text.hasSuffix("\nrejected\nother"))
    }
}

/// Tests of the width of text on a terminal.
@Suite struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("iPad", 4), ("Boženin", 7), ("e\u{301}", 1), ("陳大文", 6), ("ノート", 6), ("김민준", 6), ("🤡", 2),
        ("👩‍👩‍👧", 2), ("❤️", 2), ("🇨🇿", 2), ("שלום", 4), ("مرحبا", 5), ("ａ", 2), ("\u{200B}", 0),
    ])
    func widthIsThatOfTheTerminal(_ text: String, _ width: Int) {
        #expect(text.displayWidth == width)
    }

    @Test(arguments: [("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("陳大文", 5, "陳大…"), ("陳大文", 4, "陳…")])
    func shortenedTextFits(_ text: String, _ columns: Int, _ shortened: String) {
        #expect(text.truncated(to: columns) == shortened)
    }

    @Test func columnsOfWideNamesAreAligned() {
        let text = TextTable(header: ["Name", "N"], rows: [["陳大文", "1"], ["Ann", "2"]]).text
        #expect(text == "Name    N\n────    ─\n陳大文  1\nAnn     2")
    }
}

/// The columns of a table that are left out.
@Suite struct LeftOutColumnsTests {
    private static let table = TextTable(
        header: ["Name", "Note", "Identifier", "More"],
        rows: [["a", "", "0123456789ab", "a long text that can be shortened"], ["b", "", "cdef", "x"]],
        untruncatedColumns: [2],
        droppableColumns: [3, 0]
    ) { column, _ in column == 2 ? .red : nil }

    @Test func columnWithoutTextIsLeftOut() {
        let lines = Self.table.text.split(separator: "\n")
        #expect(lines[0] == "Name  Identifier    More")
        #expect(lines[2] == "a     0123456789ab  a long text that can be shortened")
    }

    @Test(arguments: [
        (28, "Name  Identifier    More"), (27, "Name  Identifier"), (18, "Name  Identifier"), (17, "Identifier"),
        (3, "Identifier"),
    ])
    func terminalLeavesOutWhatItHasNoRoomFor(_ columns: Int, _ head: String) {
        let lines = Self.table.text(in: TextStyle(columns: columns, hasColors: true)).split(separator: "\n")
        #expect(lines[0] == head)
        // The colors follow their columns.
        #expect(lines[2].contains("\u{1B}[31m0123456789ab\u{1B}[0m"))
    }

    @Test func lastColumnContinuesBelow() {
        let table = TextTable(
            header: ["", "Check", "Finding"],
            rows: [["✓", "a", "it is fine"], ["✗", "b", "one two three four"]],
            wrapsLastColumn: true
        )
        let lines = table.text(in: TextStyle(columns: 20, hasColors: false)).split(separator: "\n").dropFirst(2)
        #expect(lines == ["✓  a      it is fine", "✗  b      one two", "          three four"])
    }

    @Test func tableWithoutRowsKeepsItsTitles() {
        #expect(TextTable(header: ["A", "B"], rows: []).text.hasPrefix("A  B"))
    }
}

/// The lines of prose on a terminal.
@Suite struct WrappingTests {
    @Test(arguments: [
        ("a bc def", 8, "a bc def"),
        ("a bc def", 7, "a bc\n  def"),
        ("  a bc def", 8, "  a bc\n    def"),
        ("one\ntwo three", 9, "one\ntwo three"),
        ("one\ntwo three", 8, "one\ntwo\n  three"),
        ("a https://example.com/very/long b", 12, "a\n  https://example.com/very/long\n  b"),
        ("猫猫 猫猫", 8, "猫猫\n  猫猫"),
        ("", 4, ""), ("   ", 2, "   "), ("a  b", 3, "a \n  b"),
    ])
    func linesAreBrokenBetweenWords(_ text: String, _ columns: Int, _ wrapped: String) {
        #expect(text.text(in: TextStyle(columns: columns, hasColors: false)) == wrapped)
    }

    @Test func fileGetsWholeLines() {
        let line = String(repeating: "word ", count: 100)
        #expect(line.text(in: .plain) == line)
    }
}
