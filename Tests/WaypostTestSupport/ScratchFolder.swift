import Foundation

/// A folder for a test's files, deleted when its last reference is released.
package final class ScratchFolder: Sendable {
    private let url = FileManager.default.temporaryDirectory.appending(path: "waypost-test-\(UUID())")

    /// Creates the folder.
    package init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of the folder.
    package var path: String {
        url.path
    }

    /// Returns the path of `name` in the folder.
    package func path(of name: String) -> String {
        url.appending(path: name).path
    }

    /// Writes a file and returns its path.
    package func write(_ contents: some Sequence<UInt8>, to name: String) throws -> String {
        try Data(contents).write(to: url.appending(path: name))
        return path(of: name)
    }
}
