package import Foundation

/// The programs of Waypost that are built beside the tests: one file, and links to it.
package enum BuiltPrograms {
    /// The folder of the programs and of the tests.
    ///
    /// `swift build` makes no links, so this makes them, unless a process made them before.
    package static let folder: URL = {
        let folder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        for name in ["waypost-gateway", "waypost-agent"] { symlink("waypost", folder.appending(path: name).path) }
        return folder
    }()

    /// Returns the path of a program.
    package static func path(of name: String) -> String {
        folder.appending(path: name).path
    }
}
