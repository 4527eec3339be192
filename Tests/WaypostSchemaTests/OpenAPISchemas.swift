import Foundation
import WaypostTestSupport

/// The names in `components/schemas` of the API's description, a file of one key or element a line, indented by two.
struct OpenAPISchemas {
    /// The names that stand in `properties`, `required` and so on, by schema.
    private let names: [String: [String: [String]]]

    /// Returns the schemas, which are read once.
    static func current() throws -> OpenAPISchemas {
        try parsed.get()
    }

    private static let parsed = Result { try OpenAPISchemas() }

    private init() throws {
        let text = try String(contentsOf: Repository.root.appending(path: "docs/openapi.yaml"), encoding: .utf8)
        var names: [String: [String: [String]]] = [:]
        var path: [String] = []
        for line in text.split(separator: "\n") {
            let indentation = line.prefix { $0 == " " }.count
            path = path.prefix(indentation / 2) + [Self.name(in: line.dropFirst(indentation))]
            guard path.count == 5, path.starts(with: ["components", "schemas"]) else { continue }
            names[path[2], default: [:]][path[3], default: []].append(path[4])
        }
        self.names = names
    }

    /// The names in `section` of the schema `name`; `nil` where the schema has no such section, or there is none.
    func names(in section: String, of name: String) -> [String]? {
        names[name]?[section]
    }

    private static func name(in entry: Substring) -> String {
        let isElement = entry.hasPrefix("- ")
        return String(isElement ? entry.dropFirst(2) : entry.prefix { $0 != ":" })
    }
}
