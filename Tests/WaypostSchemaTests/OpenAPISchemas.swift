import Foundation
import WaypostTestSupport

/// The names in `components` of the OpenAPI description, a file with one key or element per line, indented by two.
struct OpenAPISchemas {
    /// The keys and elements at each path below `components`, in order.
    private let names: [[String]: [String]]

    /// The targets of all references, as paths below `components`.
    let references: Set<[String]>

    /// Returns the schemas, which are read once.
    static func current() throws -> OpenAPISchemas {
        try parsed.get()
    }

    private static let parsed = Result { try OpenAPISchemas() }

    private init() throws {
        let text = try String(contentsOf: Repository.root.appending(path: "docs/openapi.yaml"), encoding: .utf8)
        var names: [[String]: [String]] = [:]
        var path: [String] = []
        for line in text.split(separator: "\n") {
            let indentation = line.prefix { $0 == " " }.count
            path = path.prefix(indentation / 2) + [Self.name(in: line.dropFirst(indentation))]
            guard path.first == "components" else { continue }
            names[Array(path.dropFirst().dropLast()), default: []].append(path[path.count - 1])
        }
        self.names = names
        references = Self.references(in: text)
    }

    /// Returns the keys and elements at `path` in the schema `name`, or `nil` if there are none.
    func names(at path: [String], of name: String) -> [String]? {
        names[["schemas", name] + path]
    }

    /// Returns whether there is a component at `path`.
    func hasComponent(at path: [String]) -> Bool {
        names[path] != nil
    }

    private static func name(in entry: Substring) -> String {
        let isElement = entry.hasPrefix("- ")
        return String(isElement ? entry.dropFirst(2) : entry.prefix { $0 != ":" })
    }

    private static func references(in text: String) -> Set<[String]> {
        let paths = text.matches(of: /\$ref: '#\/components\/(\w+)\/(\w+)'/)
        return Set(paths.map { [String($0.1), String($0.2)] })
    }
}
