import Foundation

/// The commits of a trace: which frames were appended to the write-ahead log together, and when they were on disk.
///
/// A frame of the log is a header of 24 bytes and a page. The header's second number is not 0 in the last frame of a
/// commit (SQLite, file format, 4.1).
struct CommitTrace {
    /// A commit.
    struct Commit {
        /// The lines of the trace on which its first write began and its last write ended.
        var (begin, end): (Int, Int)

        /// The pages that it wrote.
        var pages: [[UInt8]] = []

        /// The line on which the first sync after its last write ended, or `nil` if there is no such sync.
        var durable: Int?
    }

    private(set) var commits: [Commit] = []

    /// Finds the commits in the file whose name ends with `-wal`.
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

    /// Returns the first commit that wrote `text`.
    func commit(of text: String) -> Commit? {
        commits.first { commit in commit.pages.contains { $0.contains(text) } }
    }

    /// Returns whether a commit that began after line `begin` was on disk before line `end`.
    func hasCommit(after begin: Int, durableBefore end: Int) -> Bool {
        commits.contains { commit in commit.begin > begin && commit.durable.map { $0 < end } == true }
    }
}

extension [UInt8] {
    /// Returns whether the bytes contain those of `text`.
    func contains(_ text: String) -> Bool {
        Data(self).range(of: Data(text.utf8)) != nil
    }
}
