import Foundation

/// The commits of a trace: what was appended to the write-ahead log together, and when the disk had it.
///
/// A frame of the log is a header of 24 bytes and a page. The header's second number is not 0 in the last frame of a
/// commit (SQLite, file format, 4.1).
struct CommitTrace {
    /// A commit.
    struct Commit {
        /// The lines of the trace on which its first write began and its last one ended.
        var (begin, end): (Int, Int)

        /// The pages that it wrote.
        var pages: [[UInt8]] = []

        /// The line on which a sync ended that began after its last write; `nil` where there is none.
        var durable: Int?
    }

    private(set) var commits: [Commit] = []

    /// Reads the commits of the log whose name ends with `-wal`.
    init(_ calls: [SystemCall]) {
        let log = calls.filter { $0.file.hasSuffix("-wal") && $0.isDone }
        var open: Commit?
        var isLast = false
        for write in log where write.name == "pwrite64" {
            switch write.bytes.count {
            case 24:
                isLast = !write.bytes[4..<8].allSatisfy { $0 == 0 }
                open = open ?? Commit(begin: write.begin, end: write.end)
            case 32: break
            default:
                open?.pages.append(write.bytes)
                open?.end = write.end
                guard isLast, let commit = open else { continue }
                commits.append(commit)
                open = nil
            }
        }
        let syncs = log.filter { $0.name == "fdatasync" || $0.name == "fsync" }
        for index in commits.indices {
            commits[index].durable = syncs.first { $0.begin > commits[index].end }?.end
        }
    }

    /// The first commit that wrote `text`.
    func commit(of text: String) -> Commit? {
        commits.first { commit in commit.pages.contains { $0.contains(text) } }
    }

    /// Whether a commit that began after line `begin` was on the disk before line `end`.
    func hasCommit(after begin: Int, durableBefore end: Int) -> Bool {
        commits.contains { commit in commit.begin > begin && commit.durable.map { $0 < end } == true }
    }
}

extension [UInt8] {
    /// Whether these bytes have those of `text` among them.
    func contains(_ text: String) -> Bool {
        Data(self).range(of: Data(text.utf8)) != nil
    }
}
