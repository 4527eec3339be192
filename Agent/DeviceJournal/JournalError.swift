/// The reason why a journal cannot be used.
package enum JournalError: Error, Sendable, Equatable {
    /// Another process uses the journal.
    case inUse(String)

    /// A line is not as it was written, although it was safely on the disk before others were written.
    case damaged(line: Int)

    /// A line has an event that this version does not know.
    case unknownEntry(line: Int, reason: String)

    /// The file at the path is no longer the one that the process has opened.
    case moved(String)

    /// The system does not allow the file to be read or written.
    case system(String)
}

extension JournalError: CustomStringConvertible {
    /// A description of the error, with what can be done.
    package var description: String {
        switch self {
        case .inUse(let path): "\(path): another agent uses this journal; use a separate folder for each device"
        case .damaged(let line):
            "line \(line) of the journal is damaged, but lines after it are intact; the file was not changed: "
                + "restore it, or remove this line and all lines after it, which loses their events"
        case .unknownEntry(let line, let reason):
            "line \(line) of the journal cannot be read; a newer version may have written it: \(reason)"
        case .moved(let path):
            "\(path) was removed or replaced while the agent ran; restart the agent"
        case .system(let reason): reason
        }
    }
}
