import Foundation
import LocalFiles
import Testing

@Suite struct LineSplitterTests {
    @Test(arguments: ["", "a", "a\n", "a\nb", "\n\na\n", "first\nsecond\nthird"])
    func linesDoNotDependOnTheChunks(_ text: String) {
        let expected = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for cut in 0...text.utf8.count {
            var splitter = LineSplitter()
            let bytes = Data(text.utf8)
            var lines = splitter.append(Data(bytes.prefix(cut))) + splitter.append(Data(bytes.dropFirst(cut)))
            // A line break at the end does not start another line.
            lines += [splitter.finish() ?? Data()]
            #expect(lines.map { String(decoding: $0, as: UTF8.self) } == expected, "cut at \(cut)")
        }
    }
}
