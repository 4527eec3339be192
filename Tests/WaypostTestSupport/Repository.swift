package import Foundation

/// Where things are in the checkout that the tests were built from.
package enum Repository {
    /// The checkout's top folder.
    package static let root = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folder of test vectors.
    package static let vectors = root.appending(path: "Tests/Vectors")

    /// The project's reference material beside the checkout; a user's clone has none, and tests that read it skip.
    package static var sharedCases: URL? {
        let folder = root.deletingLastPathComponent().appending(path: "shared/cases")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }

    /// Returns the lines of a text file that are not blank.
    package static func lines(of file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8)
            .split(separator: "\n")
            .map(String.init)
            .filter { !$0.allSatisfy(\.isWhitespace) }
    }
}
