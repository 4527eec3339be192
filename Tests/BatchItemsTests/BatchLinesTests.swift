import BatchItems
import JSONScanning
import Testing

@Suite struct BatchLinesTests {
    @Test(arguments: ["", " ", "\n", "\r\n\r\n", " \t \n \n"])
    func blankBatchHasNoItems(text: String) throws {
        #expect(try entries(text).isEmpty)
    }

    @Test(arguments: ["\n", "\r\n", " \n", "\n\n\n", "\n \t\r\n"])
    func lineBreaksSeparateItems(separator: String) throws {
        let text = [item("a"), item("b"), item("c")].joined(separator: separator)
        for text in [text, text + separator, separator + text] {
            let entries = try entries(text)
            #expect(entries.map { $0.outcome(in: text) } == ["a", "b", "c"])
            #expect(entries.map(\.index) == [0, 1, 2])
        }
    }

    @Test func linesAndOffsetsAreThoseOfTheBatch() throws {
        let text = "\(item("a"))\n\n  \(item("b"))\r\n\r\n\(item("c"))"
        let size = item("a").utf8.count
        let entries = try entries(text)
        #expect(entries.map(\.line) == [1, 3, 5])
        #expect(entries.map(\.offset) == [0, size + 4, 2 * size + 8])
    }

    @Test func invalidLineDoesNotStopTheOthers() throws {
        let text = "\(item("a"))\n{\n\(item("b"))\n\u{0}\n1\n[]\n{}\n\(item("c"))\n\"\n"
        let entries = try entries(text)
        #expect(entries.map(\.index) == Array(0...8))
        #expect(entries.map(\.line) == Array(1...9))
        let size = item("a").utf8.count
        let starts = [0, size + 1, size + 3, 2 * size + 4, 2 * size + 6, 2 * size + 8, 2 * size + 11, 2 * size + 14]
        #expect(entries.map(\.offset) == starts + [3 * size + 15])
        #expect(
            entries.map { (try? $0.result.get()) != nil } == [
                true, false, true, false, false, false, false, true, false,
            ]
        )
    }

    @Test func offsetsOfErrorsCountFromTheStartOfTheBatch() throws {
        let marked = MarkedText("\(item("a"))\n{\"token\":‸1}\n\(item("b"))")
        let entries = try entries(marked.bytes)
        #expect(throws: ScannedItemError.self) { try entries[1].result.get() }
        guard case .failure(let error) = entries[1].result else { return }
        #expect(error.offset == marked.offset)
        #expect(entries[1].location(of: error.offset, in: marked.bytes) == (2, 10))
    }

    @Test func itemMayNotSpanLines() throws {
        let text = "{\"token\":\"a\",\n\"topic\":\"b\",\"payload\":{}}\n\(item("c"))"
        let outcomes = try entries(text).map { $0.outcome(in: text) }
        #expect(outcomes.count == 3)
        #expect(outcomes.last == "c")
    }

    @Test func twoItemsOnALineAreRefused() throws {
        let text = "\(item("a")) \(item("b"))\n\(item("c"))"
        let outcomes = try entries(text).map { $0.outcome(in: text) }
        #expect(outcomes == ["not JSON: found '{' where the end of the item should be", "c"])
    }

    @Test func bracketOnALaterLineDoesNotStartAnArray() throws {
        let text = "\(item("a"))\n[\(item("b"))]"
        let outcomes = try entries(text).map { $0.outcome(in: text) }
        #expect(outcomes.count == 2)
        #expect(outcomes.first == "a")
    }

    @Test(arguments: ["", "\n", " ", "\r\n  "])
    func readerEndsAfterTheLastItem(end: String) throws {
        var reader = BatchItemReader(Array((item("a") + end).utf8))
        #expect(try reader.next() != nil)
        #expect(try reader.next() == nil)
        #expect(try reader.next() == nil)
    }

    @Test func readerKeepsTheBytes() {
        let bytes = Array(item("a").utf8)
        #expect(BatchItemReader(bytes).bytes == bytes)
    }
}
