import Foundation
import WaypostTestSupport

/// A page of the documentation.
struct Page {
    let text: String

    init(_ path: String) {
        text = (try? String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)) ?? ""
    }

    /// The cells of each row of the page's tables.
    var rows: [[String]] {
        text.split(separator: "\n").filter { $0.hasPrefix("| ") || $0.hasPrefix("|-") }.map { line in
            line.dropFirst().dropLast().split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The lines of the page's examples that are JSON.
    var jsonLines: [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0.hasPrefix("{") }
    }
}
