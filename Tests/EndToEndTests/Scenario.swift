import Foundation
import WaypostTestSupport

/// The example scenarios.
enum Scenario {
    /// The folder of the examples.
    static let folder = Repository.root.appending(path: "docs/examples")

    /// Returns the path of an example.
    static func example(_ name: String) -> String {
        folder.appending(path: name).path
    }

    /// Returns a copy of all examples, which a test may change.
    static func copyOfExamples() throws -> URL {
        let copy = FileManager.default.temporaryDirectory.appending(path: "examples-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: folder, to: copy)
        return copy
    }

    /// The processes of agents and gateways whose arguments name a folder.
    static func processes(naming folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { name in
            guard Int(name) != nil, let bytes = FileManager.default.contents(atPath: "/proc/\(name)/cmdline") else {
                return nil
            }
            let text = String(decoding: bytes, as: UTF8.self)
            return text.contains(folder) ? text.replacing("\0", with: " ") : nil
        }
    }
}
