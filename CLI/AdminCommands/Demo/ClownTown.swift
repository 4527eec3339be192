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
        try FileKind.writeSchemas(of: [.app, .device], to: folder.appending(path: "schemas"))
    }
}
