@testable import LocalProcesses

extension FuzzTarget {
    /// The log of a process.
    static let logTails = FuzzTarget(
        name: "log-tails",
        summary: "logs of processes; the last lines are those of the whole text"
    ) { bytes in
        let lines = LogTail.lines(in: Array(bytes))
        let text = String(decoding: bytes, as: UTF8.self)
        let expected = text.unicodeScalars.split { $0 == "\n" || $0 == "\r" }.suffix(LogTail.lineCount)
        promise(lines == expected.map { String($0) }, "the lines are the last ones of the text", found: lines)
        let folder = ScratchMemory()
        let found = LogTail.lines(of: folder.write(Array(bytes), to: "log"))
        promise(found == lines, "a file has the lines of its bytes", found: found)
    }
}
