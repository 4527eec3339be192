internal import Foundation

/// The demo of both talks, inside the program: targeting content with multiple windows, and Shared with You.
enum ClownTown {
    private static let files: [(path: String, contents: [UInt8])] = [
        ("devices/ipad.yaml", PackageResources.ipad_yaml),
        ("devices/mac.yaml", PackageResources.mac_yaml),
        ("apps/ipad/clowntown.yaml", PackageResources.clowntown_yaml),
        ("apps/ipad/tv.yaml", PackageResources.tv_yaml),
        ("apps/mac/scripts.yaml", PackageResources.scripts_yaml),
        ("tv-association.json", PackageResources.tv_association_json),
        ("batch.jsonl", PackageResources.batch_jsonl),
        ("actions.jsonl", PackageResources.actions_jsonl),
        ("expectations.yaml", PackageResources.expectations_yaml),
        ("shelves.yaml", PackageResources.shelves_yaml),
    ]

    /// Writes the demo's files to `folder`, which is made where it is not there.
    static func write(to folder: URL) throws {
        for (path, contents) in files {
            try DemoWorkspace.write(Data(contents), to: folder.appending(path: path))
        }
    }
}

/// A temporary folder for one run of the demo.
struct DemoWorkspace: Sendable {
    private let root: URL

    /// Where the demo's own files go.
    var files: URL { root.appending(path: "files") }

    /// Makes the folder.
    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "waypost-demo-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure.unusable("\(root.path): cannot be made: \(error.localizedDescription)")
        }
    }

    /// The ready file of the process called `name`.
    func readyFile(of name: String) -> String {
        root.appending(path: "\(name).ready.json").path
    }

    /// Where the process called `name` keeps its data.
    func data(of name: String) -> String {
        root.appending(path: "\(name).data").path
    }

    /// What the process called `name` prints.
    func log(of name: String) -> String {
        root.appending(path: "\(name).log").path
    }

    /// Writes a file; its folder is made where it is not there.
    static func write(_ contents: Data, to file: URL) throws {
        do {
            let folder = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try contents.write(to: file)
        } catch {
            throw CommandFailure.unusable("\(file.path): cannot be written: \(error.localizedDescription)")
        }
    }

    /// Removes the folder and everything in it.
    func remove() {
        // Nothing depends on it, and the system clears its folder for temporary files.
        try? FileManager.default.removeItem(at: root)
    }
}
