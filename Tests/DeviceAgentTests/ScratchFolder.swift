import Foundation

/// A folder for a test's files, gone when nobody needs it any more.
final class ScratchFolder: Sendable {
    private let url = FileManager.default.temporaryDirectory.appending(path: "waypost-test-\(UUID())")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Returns the path that `name` has in the folder.
    func path(of name: String) -> String {
        url.appending(path: name).path
    }

    /// Writes a file and returns its path.
    func write(_ contents: some Sequence<UInt8>, to name: String) throws -> String {
        try Data(contents).write(to: url.appending(path: name))
        return path(of: name)
    }
}
