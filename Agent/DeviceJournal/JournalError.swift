/// Why a journal cannot be used.
package enum JournalError: Error, Sendable, Equatable {
    /// Another process has it.
    case inUse(String)

    /// A line is not as it was written, though others were written when it was safe.
    case damaged(line: Int)

    /// A line has an event that this version does not know.
    case unknownEntry(line: Int, reason: String)

    /// The system does not let it be read or written.
    case system(String)
}

extension JournalError: CustomStringConvertible {
    /// A sentence for a person, with what can be done.
    package var description: String {
        switch self {
        case .inUse(let path): "\(path): another agent keeps its journal there; give each device a folder of its own"
        case .damaged(let line):
            "line \(line) of the journal is not as it was written, and lines after it are; the file is left as it is: "
                + "restore it, or cut it before this line and lose what came after"
        case .unknownEntry(let line, let reason):
            "line \(line) of the journal cannot be read, a newer version may have written it: \(reason)"
        case .system(let reason): reason
        }
    }
}
