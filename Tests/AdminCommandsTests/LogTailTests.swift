import Testing
import WaypostTestSupport

@testable import LocalProcesses

/// Tests of the lines of a log in the message about a process that ended.
@Suite struct LogTailTests {
    private static func lines(of log: some Sequence<UInt8>) throws -> [String] {
        let folder = try ScratchFolder()
        return LogTail.lines(of: try folder.write(log, to: "log"))
    }

    @Test(
        arguments: [
            ("", []), ("\n\n", []), ("one", ["one"]), ("1\n2\n\n3\n4\n5\n6\n", ["2", "3", "4", "5", "6"]),
            ("one\r\n 10%\r 99%\r\ntwo\r\n", ["one", " 10%", " 99%", "two"]),
        ] as [(String, [String])]
    )
    func lastLinesThatAreNotEmptyAreFound(_ log: String, _ lines: [String]) throws {
        #expect(try Self.lines(of: log.utf8) == lines)
    }

    @Test func onlyTheEndOfALongLogIsRead() throws {
        let line = String(repeating: "x", count: LogTail.maximumSize)
        #expect(try Self.lines(of: "\(line)\nend\n".utf8).map(\.utf8.count) == [LogTail.maximumSize - 5, 3])
    }

    @Test func missingLogHasNoLines() {
        #expect(LogTail.lines(of: "/nowhere/log").isEmpty)
    }
}
