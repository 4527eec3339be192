import Foundation
import WaypostTestSupport

/// A Swift file of the project, for tests of how it is written.
struct SourceFile: Sendable, CustomStringConvertible {
    let path: String
    let lines: [String]

    var description: String { path }

    /// The module the file belongs to: the second folder of its path.
    var module: String {
        path.split(separator: "/").dropFirst().first.map(String.init) ?? ""
    }

    /// The top folder of the file's path.
    var layer: String {
        path.split(separator: "/").first.map(String.init) ?? ""
    }

    /// The modules that the file imports, whatever their access level.
    var imports: [String] {
        lines.compactMap { line in
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(of: "import"), index <= 2, !line.hasPrefix(" ") else { return nil }
            return words.dropFirst(index + 1).first.map(String.init)
        }
    }

    /// A line of a comment.
    struct Comment {
        /// The number of the line, from 1.
        let line: Int

        /// The text without its slashes.
        let text: String

        /// Whether the line documents a declaration.
        let isDocumentation: Bool

        /// Whether the line is the first of its comment.
        let isFirst: Bool
    }

    /// The lines that are comments.
    var comments: [Comment] {
        var isInside = false
        return lines.enumerated().compactMap { index, line in
            let text = line.drop { $0 == " " }
            guard text.hasPrefix("//") else {
                isInside = false
                return nil
            }
            defer { isInside = true }
            return Comment(
                line: index + 1,
                text: String(text.drop { $0 == "/" || $0 == " " }),
                isDocumentation: text.hasPrefix("///"),
                isFirst: !isInside
            )
        }
    }

    /// The names of the types that the file declares at its top level.
    var types: [String] {
        let keywords: Set = ["struct", "enum", "class", "actor", "protocol"]
        return lines.compactMap { line in
            guard line.first?.isLetter == true else { return nil }
            let words = line.split { !$0.isLetter && !$0.isNumber }
            return words.firstIndex { keywords.contains(String($0)) }.flatMap { index in
                words.dropFirst(index + 1).first.map(String.init)
            }
        }
    }

    /// The numbers (from 1) of the lines that are code and contain `text`.
    func lineNumbers(containing text: String) -> [Int] {
        lines.enumerated().compactMap { index, line in
            line.contains(text) && !line.drop { $0 == " " }.hasPrefix("//") ? index + 1 : nil
        }
    }

    /// The project's Swift files in `folders`.
    static func all(in folders: [String]) -> [SourceFile] {
        folders.flatMap { folder -> [SourceFile] in
            let root = Repository.root.appending(path: folder)
            let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
            return names.filter { $0.hasSuffix(".swift") }.sorted().compactMap { name in
                guard let text = try? String(contentsOf: root.appending(path: name), encoding: .utf8) else {
                    return nil
                }
                return SourceFile(path: "\(folder)/\(name)", lines: text.components(separatedBy: "\n"))
            }
        }
    }

    static let product = all(in: ["Core", "Server", "Agent", "CLI"])
    static let tests = all(in: ["Tests"])
    static let core = product.filter { $0.layer == "Core" }
}
