internal import Foundation
internal import JSONScanning
internal import Yams

/// The text of a scenario file as a tree of nodes with places.
struct ScenarioText {
    /// The path of the file.
    let file: String

    /// The content of the file.
    let text: String

    /// The tree.
    let root: Node

    /// The most values of a file, with what its aliases stand for.
    private static let mostValues = 100_000

    /// Reads a file.
    ///
    /// - Throws: `ScenarioFindings` if it cannot be read, or is not YAML.
    init(file: String) throws(ScenarioFindings) {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw Self.finding(file, "cannot be read: it does not exist, is a folder, or denies access")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw Self.finding(file, "is not UTF-8")
        }
        try self.init(text, file: file)
    }

    /// Parses the content of a file.
    init(_ text: String, file: String) throws(ScenarioFindings) {
        self.file = file
        self.text = text
        do {
            guard let root = try Yams.compose(yaml: text, Resolver.basic.appending(.merge)) else {
                throw Self.finding(file, "the file is empty; a scenario needs 'name', 'devices' and 'steps'")
            }
            var rest = Self.mostValues
            guard Self.fits(root, depth: 0, &rest) else {
                throw Self.finding(
                    file,
                    "has more than \(Self.mostValues) values, aliases replaced, or is nested deeper than "
                        + "\(JSONCursor.maximumDepth)"
                )
            }
            self.root = root
        } catch let error as ScenarioFindings {
            throw error
        } catch {
            throw Self.finding(error, file)
        }
    }

    /// A few lines of aliases to aliases can stand for more values than any memory holds.
    private static func fits(_ node: Node, depth: Int, _ rest: inout Int) -> Bool {
        rest -= 1
        guard rest >= 0, depth <= JSONCursor.maximumDepth else { return false }
        switch node {
        case .scalar, .alias: return true
        case .sequence(let elements):
            for element in elements where !fits(element, depth: depth + 1, &rest) { return false }
        case .mapping(let members):
            for (_, value) in members where !fits(value, depth: depth + 1, &rest) { return false }
        }
        return true
    }

    private static func finding(_ file: String, _ message: String, at mark: Mark? = nil) -> ScenarioFindings {
        let place = SourcePlace(file: file, line: mark?.line ?? 1, column: mark?.column ?? 1)
        return ScenarioFindings([ScenarioFinding(place: place, message: message)])
    }

    private static func finding(_ error: any Error, _ file: String) -> ScenarioFindings {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            finding(file, "not YAML: \(problem)", at: mark)
        case .duplicatedKeysInMapping(let duplicates, let context):
            finding(file, "the key '\(duplicates.sorted().joined(separator: "', '"))' is repeated", at: context.mark)
        default: finding(file, "not YAML: \(error)")
        }
    }
}

extension Node {
    /// Whether the node is a plain scalar without text, or `null`.
    var isWithoutValue: Bool {
        guard case .scalar(let scalar) = self, scalar.style == .plain || scalar.style == .any else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
    }
}
