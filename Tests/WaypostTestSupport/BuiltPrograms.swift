package import Foundation

/// The programs of Waypost that are built beside the tests: one file, and links to it.
package enum BuiltPrograms {
    /// The folder of the programs and of the tests.
    ///
    /// `swift build` makes no links, so this makes them, unless a process made them before. Programs of a build that had
    /// three of them are replaced.
    package static let folder: URL = {
        let folder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        for name in ["waypost-gateway", "waypost-agent"] {
            let path = folder.appending(path: name).path
            if (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == nil { unlink(path) }
            symlink("waypost", path)
        }
        return folder
    }()

    /// Returns the path of a program.
    package static func path(of name: String) -> String {
        folder.appending(path: name).path
    }
}
