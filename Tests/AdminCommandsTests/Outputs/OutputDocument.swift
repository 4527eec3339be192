import ArgumentParser
import Foundation
import TextReports
import WaypostSchema
import WaypostTestSupport

@testable import AdminCommands

/// The text of `docs/output.md`: the JSON of each command, and examples of both forms.
struct OutputDocument {
    static let file = Repository.root.appending(path: "docs/output.md")
    static let command = "WAYPOST_WRITE_DOCS=1 make test FILTER=OutputDocumentTests"

    private let definitions: [String: JSONValue]

    init() throws {
        let schema = try JSONDecoder().decode(JSONValue.self, from: Data(SchemaDocument.text.utf8))
        definitions = schema["$defs"]?.members ?? [:]
    }

    var text: String {
        ([Self.head, commands, "## Examples\n"] + OutputExample.all.map(\.text) + ["## Objects\n", objects])
            .joined(separator: "\n")
    }

    private static let head = """
        # The output of commands

        On a terminal, commands print tables for people. In a pipe they print JSON Lines: one object on each line.
        `--format table`, `json` and `jsonl` choose. With `json`, a command that prints a list prints one array, and any
        other command one object. `--quiet` prints nothing; the exit status has the result. The keys of an object are in
        alphabetical order, and absent values are left out.

        Programs must ignore keys that they do not know. Times are milliseconds since 1970. This page is generated:

            \(command)

        """

    private var commands: String {
        let link = { (type: OutputType) in "[\(type.name)](#\(type.name.lowercased()))" }
        let rows =
            OutputType.all.flatMap { type in
                type.listedBy.map { "| `waypost \($0)` | list of \(link(type)) |" }
                    + type.printedBy.map { "| `waypost \($0)` | \(link(type)) |" }
            } + OutputType.elsewhere.map { "| `waypost \($0)` | see [\($1)](\($1)) |" }
        return (["| command | prints |", "|---|---|"] + rows.sorted()).joined(separator: "\n") + "\n"
    }

    /// The objects that commands print, and those in them.
    private var objects: String {
        var (names, visited) = (OutputType.all.map(\.name), [String]())
        while let name = names.popLast() {
            guard !visited.contains(name) else { continue }
            visited.append(name)
            names += Self.references(in: definitions[name]).filter { definitions[$0]?["type"]?.string == "object" }
        }
        return visited.sorted().map(object).joined(separator: "\n")
    }

    private func object(_ name: String) -> String {
        let ownFields = OutputType.all.first { $0.name == name }?.fields
        let fields = ownFields ?? fields(of: definitions[name])
        let about = definitions[name]?["description"]?.string.map { "\($0)\n\n" } ?? ""
        let rows = fields.map { "| `\($0.name)` | \($0.type) | \($0.about) |" }
        return "### \(name)\n\n\(about)"
            + (["| field | type | content |", "|---|---|---|"] + rows).joined(separator: "\n") + "\n"
    }

    private func fields(of definition: JSONValue?) -> [OutputType.Field] {
        (definition?["properties"]?.members ?? [:]).sorted { $0.key < $1.key }.map { name, property in
            let about = (property["description"]?.string ?? "").replacing("|", with: "\\|").replacing("\n", with: " ")
            return OutputType.Field(name, type(of: property), about)
        }
    }

    private func type(of property: JSONValue) -> String {
        if let reference = property["$ref"]?.string.flatMap({ $0.split(separator: "/").last }) {
            let name = String(reference)
            if definitions[name]?["type"]?.string == "object" { return "[\(name)](#\(name.lowercased()))" }
            return definitions[name]?["type"]?.string ?? name
        }
        if let choices = property["anyOf"]?.elements {
            return choices.filter { $0["type"]?.string != "null" }.map(type).joined(separator: " or ")
        }
        switch property["type"] {
        case .string("array")?: return "list of \(property["items"].map(type) ?? "values")"
        case .string(let name)?: return name
        case .array(let names)?: return names.compactMap(\.string).filter { $0 != "null" }.joined(separator: " or ")
        default: return "value"
        }
    }

    private static func references(in value: JSONValue?) -> [String] {
        switch value {
        case .array(let elements)?: elements.flatMap { references(in: $0) }
        case .object(let members)?:
            members.flatMap { name, member in
                name == "$ref"
                    ? member.string?.split(separator: "/").last.map { [String($0)] } ?? [] : references(in: member)
            }
        default: []
        }
    }
}

/// A kind of object that commands print.
struct OutputType: Sendable {
    /// A field of an object that is not in the schema.
    struct Field: Sendable {
        let name: String
        let type: String
        let about: String

        init(_ name: String, _ type: String, _ about: String) {
            (self.name, self.type, self.about) = (name, type, about)
        }
    }

    /// The name of the object, in the schema or of its own.
    let name: String

    /// The commands that print a list of them, and those that print one.
    let listedBy: [String]
    let printedBy: [String]

    /// The fields; `nil` if the schema has them.
    let fields: [Field]?

    /// An example of an object that is not in the schema, as JSON.
    let example: (any Encodable & Sendable)?

    /// Describes an object: its fields and an example of it as JSON, unless it is in the schema.
    init(
        _ name: String,
        listedBy: [String] = [],
        printedBy: [String] = [],
        _ example: (any Encodable & Sendable)? = nil,
        _ fields: [Field]? = nil
    ) {
        (self.name, self.listedBy, self.printedBy) = (name, listedBy, printedBy)
        (self.example, self.fields) = (example, fields)
    }
}

/// An example of the output of a command.
struct OutputExample: Sendable {
    let command: String

    /// The table on a terminal of 80 columns, and the objects.
    let table: String
    let json: [any Encodable & Sendable]

    /// Creates the example of a list.
    init<Answer: Encodable & Sendable>(
        _ command: String,
        _ answers: [Answer],
        _ table: ([Answer]) -> any TextPresentable
    ) {
        self.command = command
        json = answers
        self.table = table(answers).text(in: TextStyle(columns: 80, hasColors: false))
    }

    /// Creates the example of one object.
    init<Answer: Encodable & Sendable>(_ command: String, one answer: Answer, _ text: (Answer) -> any TextPresentable) {
        self.init(command, [answer]) { text($0[0]) }
    }

    var text: String {
        let lines = json.map { (try? JSONOutput.line($0)) ?? "" }.joined(separator: "\n")
        return "### waypost \(command)\n\n```text\n\(table)\n```\n\n```json\n\(lines)\n```\n"
    }
}

extension JSONValue {
    fileprivate var members: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    fileprivate var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }
}
