import Foundation
import WaypostTestSupport

/// The references in the rule of a sentence: pages with numbers of rules, and types.
struct RuleReference {
    /// The pages, such as `docs/targeting.md`.
    let pages: [String]

    /// The numbers of rules on the first page.
    let numbers: [Int]

    /// The types, which are between backticks.
    let types: [String]

    init(_ rule: String) {
        pages = rule.matches(of: /docs\/[\w-]+\.md/).map { String($0.output) }
        numbers = rule.matches(of: /rule (\d+)/).compactMap { Int($0.output.1) }
        types = rule.matches(of: /`(\w+)`/).map { String($0.output.1) }
    }

    /// Returns the numbers of the rules in the tables of `page`, or `nil` if there is no such page.
    static func numbers(on page: String) -> Set<Int>? {
        guard let lines = try? Repository.lines(of: Repository.root.appending(path: page)) else { return nil }
        return Set(lines.compactMap { $0.firstMatch(of: /^\| *(\d+) *\|/).flatMap { Int($0.output.1) } })
    }

    /// The names of the types that the product declares.
    static let declaredTypes: Set<String> = {
        var names: Set<String> = []
        for folder in ["Core", "Server", "Agent", "CLI"] {
            let root = Repository.root.appending(path: folder).resolvingSymlinksInPath()
            let files = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
            for file in files where file.hasSuffix(".swift") {
                let text = (try? String(contentsOf: root.appending(path: file), encoding: .utf8)) ?? ""
                names.formUnion(types(declaredIn: text))
            }
        }
        return names
    }()

    /// Returns the names of the types that the lines of `text` declare.
    static func types(declaredIn text: String) -> [String] {
        let keywords: Set = ["struct", "enum", "class", "actor", "protocol"]
        let modifiers: Set = ["public", "package", "final", "indirect"]
        return text.split(separator: "\n").compactMap { line in
            let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            guard let place = words.firstIndex(where: { keywords.contains(String($0)) }),
                words[..<place].allSatisfy({ modifiers.contains(String($0)) })
            else { return nil }
            return words.dropFirst(place + 1).first.map(String.init)
        }
    }
}
