import BatchItems
import JSONScanning
import Testing

/// A column counts from the start of its line, so that an editor can go to the line and column.
@Suite struct EntryColumnTests {
    struct Case: CustomTestStringConvertible {
        var text: String
        var index: Int
        var line: Int
        var column: Int

        var testDescription: String { text.debugDescription }
    }

    static let cases = [
        Case(text: #"{"token":‸1}"#, index: 0, line: 1, column: 10),
        Case(text: "{}\n{\"token\":‸1}", index: 1, line: 2, column: 10),
        Case(text: "{}\r\n\r\n{‸;}", index: 1, line: 3, column: 2),
        Case(text: #"  {"token":‸1}"#, index: 0, line: 1, column: 12),
        Case(text: "{}\n\t{\"token\":‸1}", index: 1, line: 2, column: 11),
        Case(text: #"[{"token":‸1}]"#, index: 0, line: 1, column: 11),
        Case(text: #"[{"token":"a"}, {"token":‸1}]"#, index: 1, line: 1, column: 26),
        Case(text: "[\n  {\"token\":‸1}\n]", index: 0, line: 2, column: 12),
        Case(text: "[\n  {\n  \"token\":\n ‸1}\n]", index: 0, line: 4, column: 2),
    ]

    @Test(arguments: cases)
    func columnIsCountedOnItsLine(_ example: Case) throws {
        let marked = MarkedText(example.text)
        let entry = try #require(try entries(marked.bytes).dropFirst(example.index).first)
        guard case .failure(let error) = entry.result else {
            Issue.record("the item is valid")
            return
        }
        #expect(error.offset == marked.offset)
        #expect(entry.location(of: error.offset, in: marked.bytes) == (example.line, example.column))
    }
}
