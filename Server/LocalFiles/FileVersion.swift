internal import Foundation

/// The version of a file, which is another one after the file was written, replaced or renamed.
package struct FileVersion: Sendable, Equatable {
    private let inode: UInt64
    private let size: Int
    private let modificationSeconds: Int
    private let modificationNanoseconds: Int

    /// The time since 1970 at which the file, its name or its permissions last changed, which no program can set.
    package let changeTime: Duration

    /// Creates the version of the file at a path, or `nil` if there is none.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init(_ status: stat) {
        inode = UInt64(status.st_ino)
        size = Int(status.st_size)
        modificationSeconds = Int(status.st_mtim.tv_sec)
        modificationNanoseconds = Int(status.st_mtim.tv_nsec)
        changeTime = .seconds(Int(status.st_ctim.tv_sec)) + .nanoseconds(Int(status.st_ctim.tv_nsec))
    }
}
