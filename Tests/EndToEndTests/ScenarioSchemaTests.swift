import Foundation
import Testing
import Yams

/// The JSON Schema of scenarios, as another validator reads it.
@Suite(.timeLimit(.minutes(5))) struct ScenarioSchemaTests {
    /// Validates documents, and prints a line for each problem.
    private static let validator = """
        import json, sys, jsonschema
        schema = json.load(open(sys.argv[1]))
        jsonschema.Draft202012Validator.check_schema(schema)
        for file in sys.argv[2:]:
            for error in jsonschema.Draft202012Validator(schema).iter_errors(json.load(open(file))):
                print(file, error.json_path, error.message[:200])
        """

    /// Returns a YAML document as JSON; only `true`, `false` and numbers are no texts (YAML 1.2, core schema).
    private static func json(_ node: Node) -> Any {
        switch node {
        case .mapping(let mapping):
            return Dictionary(uniqueKeysWithValues: mapping.map { ($0.scalar?.string ?? "", json($1)) })
        case .sequence(let sequence): return sequence.map(json)
        case .scalar(let scalar):
            guard scalar.style == .plain else { return scalar.string }
            if let number = Int(scalar.string) { return number }
            return ["true": true, "false": false][scalar.string] ?? scalar.string
        case .alias: return NSNull()
        }
    }

    /// Returns the problems that the schema finds in scenarios.
    private static func problems(in scenarios: [String: String]) async throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "schema-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let schema = folder.appending(path: "schema.json")
        let printed = try await Program.run("waypost", ["schema", "scenario"])
        try Data(printed.output.utf8).write(to: schema)
        var files: [String] = []
        for (name, text) in scenarios {
            let file = folder.appending(path: name + ".json")
            let node = try #require(try Yams.compose(yaml: text))
            try JSONSerialization.data(withJSONObject: json(node)).write(to: file)
            files.append(file.path)
        }
        let result = try await Program.run("python3", ["-c", validator, schema.path] + files.sorted())
        #expect(result.status == 0, "\(result.errors)")
        return result.output
    }

    @Test func schemaAcceptsEveryExample() async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Scenario.folder.path)
        var scenarios: [String: String] = [:]
        for name in names where name.hasSuffix(".yaml") {
            scenarios[name] = try String(contentsOf: Scenario.folder.appending(path: name), encoding: .utf8)
        }
        #expect(scenarios.count > 9)
        let problems = try await Self.problems(in: scenarios)
        #expect(problems == "")
    }

    @Test(arguments: [
        ("title:", "titel:"), ("reason: prefers", "reason: prefer"), ("open:", "oppen:"),
        ("device: iPad, ", ""), ("name: Crusty opens in his own window", "tags: [crusty]"),
    ])
    func schemaRefusesAMistake(_ right: String, _ wrong: String) async throws {
        let text = try String(contentsOfFile: Scenario.example("crusty.yaml"), encoding: .utf8)
        #expect(text.contains(right))
        #expect(try await !Self.problems(in: ["wrong": text.replacing(right, with: wrong)]).isEmpty)
    }
}
