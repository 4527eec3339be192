import Foundation
import Testing
import WaypostTestSupport

@testable import AdminCommands

@Suite struct LineInputTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    /// Returns the lines that the input reads from `files`.
    private func lines(of files: [String]) throws -> [(number: Int, text: String)] {
        var lines: [(Int, String)] = []
        try LineInput(files: files).forEachLine { lines.append(($0.number, try $0.string())) }
        return lines
    }

    struct Case: CustomTestStringConvertible {
        var text: String
        var numbers: [Int]
        var texts: [String]
        var testDescription: String { String(reflecting: text) }
    }

    @Test(arguments: [
        Case(text: "", numbers: [], texts: []),
        Case(text: "a", numbers: [1], texts: ["a"]),
        Case(text: "a\nb\n", numbers: [1, 2], texts: ["a", "b"]),
        Case(text: "a\r\nb\r\n", numbers: [1, 2], texts: ["a", "b"]),
        Case(text: "\n\r\n \t\na\n\n\nb", numbers: [4, 7], texts: ["a", "b"]),
        Case(text: " \ta b\t\r\n", numbers: [1], texts: ["a b"]),
        Case(text: "a\rb\n", numbers: [1], texts: ["a\rb"]),
        Case(text: "\u{FEFF}a\n花 🤡\n", numbers: [1, 2], texts: ["\u{FEFF}a", "花 🤡"]),
        Case(text: "\u{A0}a\u{A0}\n\u{B}\n", numbers: [1, 2], texts: ["\u{A0}a\u{A0}", "\u{B}"]),
    ])
    func nonblankLinesAreRead(_ example: Case) throws {
        let lines = try lines(of: [try folder.write(example.text.utf8, to: "lines")])
        #expect(lines.map(\.number) == example.numbers)
        #expect(lines.map { Array($0.text.utf8) } == example.texts.map { Array($0.utf8) })
    }

    @Test func filesAreReadInOrderAndHaveTheirOwnLineNumbers() throws {
        let files = [try folder.write("a\nb".utf8, to: "1"), try folder.write("".utf8, to: "2")]
        let lines = try lines(of: files + [try folder.write("c\n".utf8, to: "3")] + [files[0]])
        #expect(lines.map(\.text) == ["a", "b", "c", "a", "b"])
        #expect(lines.map(\.number) == [1, 2, 1, 1, 2])
    }

    @Test(arguments: [[0xFF], [0x61, 0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80]] as [[UInt8]])
    func lineThatIsNotUTF8IsReported(_ bytes: [UInt8]) throws {
        let path = try folder.write(Array("a\n\n".utf8) + bytes + Array("\nb\n".utf8), to: "lines")
        let expected = CommandFailure.unusable("\(path), line 3: the line is not UTF-8")
        #expect(throws: expected) { try lines(of: [path]) }
    }

    @Test func endlessLineIsReported() {
        let input = LineInput(files: ["/dev/zero"], maximumLineSize: 1 << 20)
        let expected = CommandFailure.unusable("/dev/zero, line 1: it has more than 1 MiB")
        #expect(throws: expected) { try input.forEachLine { _ in } }
    }

    @Test(arguments: [(1_000, "1000 bytes"), (2_048, "2 KiB"), (1 << 20, "1 MiB")] as [(Int, String)])
    func endlessFileIsReported(_ maximumSize: Int, _ size: String) {
        let expected = CommandFailure.unusable("/dev/zero: cannot be read: it has more than \(size)")
        #expect(throws: expected) { try InputFile(path: "/dev/zero").readToEnd(maximumSize: maximumSize) }
    }

    @Test func linesBeforeAMissingFileAreRead() throws {
        let path = try folder.write("a\nb".utf8, to: "lines")
        var texts: [String] = []
        #expect(throws: CommandFailure.unusable("/nowhere: cannot be read: it does not exist")) {
            try LineInput(files: [path, "/nowhere"]).forEachLine { texts.append(try $0.string()) }
        }
        #expect(texts == ["a", "b"])
    }

    @Test func lineLongerThanAChunkIsNotSplit() throws {
        let long = String(repeating: "花", count: 100_000)
        let lines = try lines(of: [try folder.write("\(long)\nb\n\(long)".utf8, to: "lines")])
        #expect(lines.map(\.text) == [long, "b", long])
    }

    @Test func everyLineIsFollowedByTheEndOfAChunk() throws {
        let paths = try (0..<3).map { try folder.write("a\nb\nc".utf8, to: "\($0)") }
        var (pending, total) = (0, 0)
        let flush = {
            total += pending
            pending = 0
        }
        try LineInput(files: paths).forEachLine(afterChunk: flush) { _ in pending += 1 }
        #expect(total == 9 && pending == 0)
    }
}
