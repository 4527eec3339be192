internal import Foundation
internal import LocalFiles

/// A temporary folder for one run of the demo.
struct DemoWorkspace: Sendable {
    private let root: URL

    /// The folder for the files of Clown Town, which the demo runs unless the user names another folder.
    var clownTownFolder: URL { root.appending(path: "files") }

    /// Creates the folder.
    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "waypost-demo-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure.unusable("\(root.path): cannot be created: \(SystemError.reason(of: error))")
        }
    }

    /// Returns the path of the ready file of the process called `name`.
    func readyFile(of name: String) -> String {
        root.appending(path: "\(name).ready.json").path
    }

    /// Returns the path of the data folder of the process called `name`.
    func dataFolder(of name: String) -> String {
        root.appending(path: "\(name).data").path
    }

    /// Returns the path of the log file of the process called `name`.
    func logFile(of name: String) -> String {
        root.appending(path: "\(name).log").path
    }

    /// Removes the folder and everything in it.
    func remove() {
        // A failure does no harm: the system clears its folder for temporary files.
        try? FileManager.default.removeItem(at: root)
    }
}
