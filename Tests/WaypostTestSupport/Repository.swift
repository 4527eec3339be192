package import Foundation

/// Locations in the checkout from which the tests were built.
package enum Repository {
    /// The top-level folder of the checkout.
    package static let root = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folder of test vectors.
    package static let vectors = root.appending(path: "Tests/Vectors")

    /// Returns the nonblank lines of a text file.
    package static func lines(of file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8)
            .split(separator: "\n")
            .map(String.init)
            .filter { !$0.allSatisfy(\.isWhitespace) }
    }
}
