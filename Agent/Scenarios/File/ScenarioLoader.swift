internal import DescriptionFiles
internal import Foundation
internal import WaypostSchema
internal import Yams

/// Reads scenario files, with the files that they include and the device files to which they refer.
package struct ScenarioLoader: Sendable {
    private let schema: ScenarioSchema

    /// The values of variables that replace those of the files.
    private let variables: [String: String]

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - schema: the schema of scenarios.
    ///   - variables: the values of variables that replace those of the files.
    package init(_ schema: ScenarioSchema, variables: [String: String] = [:]) {
        self.schema = schema
        self.variables = variables
    }

    /// Returns the scenarios of a file: one, or one for each combination of its matrix.
    ///
    /// - Throws: `ScenarioFindings` with all problems of the file and of the files that it includes.
    package func scenarios(in file: String) throws(ScenarioFindings) -> [Scenario] {
        let text = try ScenarioText(file: file)
        var head = SchemaReader(schema, file: file)
        guard case .mapping = text.root else {
            head.note("a scenario is an object with 'name', 'devices' and 'steps'", at: text.root)
            throw ScenarioFindings(head.findings)
        }
        let matrix = Self.readMatrix(text.root, &head)
        guard head.findings.isEmpty else { throw ScenarioFindings(head.findings) }
        var scenarios: [Scenario] = []
        var findings: [ScenarioFinding] = []
        for combination in Self.combinations(of: matrix) {
            do throws(ScenarioFindings) {
                scenarios.append(try scenario(text, combination))
            } catch {
                findings += error.findings
            }
        }
        guard findings.isEmpty else { throw ScenarioFindings(findings) }
        return scenarios
    }

    private static func readMatrix(_ root: Node, _ reader: inout SchemaReader) -> [(String, [String])] {
        guard let node = root["matrix"] else { return [] }
        guard let mapping = node.mapping else {
            reader.note("'matrix' must be an object: the values of each variable", at: node)
            return []
        }
        return mapping.map { key, values in
            let texts = values.sequence?.compactMap(\.scalar?.string) ?? []
            if texts.isEmpty || texts.count != values.sequence?.count {
                reader.note("'\(key.scalar?.string ?? "")' must be a list of values", at: values)
            }
            return (key.scalar?.string ?? "", texts)
        }
    }

    /// Returns all combinations of values, the first variable changing slowest.
    static func combinations(of matrix: [(String, [String])]) -> [[(String, String)]] {
        matrix.reduce([[]]) { combinations, variable in
            combinations.flatMap { combination in variable.1.map { combination + [(variable.0, $0)] } }
        }
    }

    private func scenario(_ text: ScenarioText, _ combination: [(String, String)]) throws(ScenarioFindings) -> Scenario
    {
        var parts: [Part] = []
        try collect(text, isRoot: true, into: &parts, from: [])
        var values: [String: String] = [:]
        for part in parts { values.merge(part.variables) { _, later in later } }
        values.merge(combination) { _, later in later }
        values.merge(variables) { _, later in later }
        return try ScenarioBuilder(schema, parts: parts, variables: values).scenario(combination.map(\.1))
    }

    /// A file of a scenario: the scenario's own, or an included one.
    struct Part {
        let text: ScenarioText
        let isRoot: Bool
        let variables: [String: String]
    }

    /// Collects the parts of a file: those that it includes come first.
    private func collect(
        _ text: ScenarioText,
        isRoot: Bool,
        into parts: inout [Part],
        from including: [String]
    ) throws(ScenarioFindings) {
        var reader = SchemaReader(schema, file: text.file)
        let own = URL(filePath: text.file).standardizedFileURL.path
        guard text.root.mapping != nil else {
            reader.note("an included file is an object with 'variables', 'devices' or 'steps'", at: text.root)
            throw ScenarioFindings(reader.findings)
        }
        for node in text.root["include"].map({ $0.sequence.map(Array.init) ?? [$0] }) ?? [] {
            guard let path = node.scalar?.string else { continue }
            let file = Self.path(path, besides: text.file)
            let included = URL(filePath: file).standardizedFileURL.path
            guard !including.contains(included), included != own else {
                reader.note("'\(path)' includes this file again", at: node)
                throw ScenarioFindings(reader.findings)
            }
            guard FileManager.default.fileExists(atPath: file) else {
                reader.note("there is no file '\(path)'", at: node)
                throw ScenarioFindings(reader.findings)
            }
            try collect(try ScenarioText(file: file), isRoot: false, into: &parts, from: including + [own])
        }
        let values = text.root["variables"]?.mapping?.compactMap { key, value in
            key.scalar.flatMap { key in value.scalar.map { (key.string, $0.string) } }
        }
        let variables = Dictionary(values ?? [], uniquingKeysWith: { first, _ in first })
        parts.append(Part(text: text, isRoot: isRoot, variables: variables))
    }

    /// Returns the path of a file that `file` names.
    static func path(_ path: String, besides file: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        let folder = (file as NSString).deletingLastPathComponent
        return folder.isEmpty ? path : folder + "/" + path
    }
}
