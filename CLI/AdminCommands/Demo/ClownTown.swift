internal import CCommandFiles
internal import Foundation

/// The demo files for both talks (content targeting with multiple windows, and Shared with You), inside the program.
enum ClownTown {
    /// Writes the demo's files to `folder`, with the schemas that they name, and creates the folder if needed.
    static func write(to folder: URL) throws {
        var count = 0
        let files = waypost_demo_files(&count)
        for file in UnsafeBufferPointer(start: files, count: count) {
            let contents = Data(bytes: file.bytes, count: file.count)
            try OutputFile.write(contents, to: folder.appending(path: String(cString: file.path)))
        }
        try FileKind.writeDocuments(of: [.app, .device], to: folder.appending(path: "schemas"))
    }
}

/// A temporary folder for one run of the demo.
struct DemoWorkspace: Sendable {
    private let root: URL

    /// The folder of Clown Town, if the user named no other.
    var files: URL { root.appending(path: "files") }

    /// Creates the folder.
    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "waypost-demo-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure.unusable("\(root.path): cannot be created: \(error.localizedDescription)")
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
