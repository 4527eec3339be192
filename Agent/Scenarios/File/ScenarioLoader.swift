internal import Foundation
package import SchemaFiles
internal import WaypostSchema
internal import Yams

/// Reads scenario files, with the files that they include and the device files to which they refer.
package struct ScenarioLoader: Sendable {
    private let schema: FileSchema

    /// The values of variables that replace those of the files.
    private let variables: [String: String]

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - schema: the schema of scenarios.
    ///   - variables: the values of variables that replace those of the files.
    package init(_ schema: FileSchema, variables: [String: String] = [:]) {
        self.schema = schema
        self.variables = variables
    }

    /// The maximum number of combinations of a matrix: a few lists of ten values have more than any memory holds.
    private static let maximumCombinationCount = 10_000

    /// The values of variables, in the order of the file.
    private typealias Combination = [(String, String)]

    /// Returns the scenarios of a file: one, or one for each combination of its matrix.
    ///
    /// - Throws: `FileFindings` with all problems of the file and of the files that it includes.
    package func scenarios(in file: String) throws(FileFindings) -> [Scenario] {
        let text = try FileText(file: file, as: .scenario)
        var matrixReader = SchemaReader(schema, file: file)
        let combinations = readMatrix(text.root, &matrixReader)
        guard matrixReader.findings.isEmpty else { throw FileFindings(matrixReader.findings) }
        var scenarios: [Scenario] = []
        var findings: [FileFinding] = []
        for combination in combinations {
            do throws(FileFindings) {
                scenarios.append(try scenario(text, combination))
            } catch {
                findings += error.findings
            }
        }
        guard findings.isEmpty else { throw FileFindings(findings) }
        return scenarios
    }

    /// Returns the combinations of the matrix, or one without values if there is no matrix.
    private func readMatrix(_ root: Node, _ reader: inout SchemaReader) -> [Combination] {
        guard let node = root["matrix"], let schema = schema.root["properties"]?["matrix"] else { return [[]] }
        for table in node.sequence.map(Array.init) ?? [node] { recordNestedVariables(in: table, &reader) }
        guard reader.findings.isEmpty, reader.read(node, as: schema, called: "'matrix'") != nil else { return [] }
        if let rows = node.sequence {
            return rows.map { row in
                (row.mapping ?? [:]).map { key, value in (key.scalar?.string ?? "", value.scalar?.string ?? "") }
            }
        }
        let matrix: [(String, [String])] = (node.mapping ?? [:]).map { key, values in
            (key.scalar?.string ?? "", (values.sequence ?? []).compactMap(\.scalar?.string))
        }
        let maximumCount = Self.maximumCombinationCount
        guard matrix.reduce(1, { min($0 * $1.1.count, maximumCount + 1) }) <= maximumCount else {
            reader.report("the matrix has more than \(maximumCount) combinations", at: node)
            return []
        }
        return Self.combinations(of: matrix)
    }

    /// Records the values of variables that use other variables.
    private func recordNestedVariables(in node: Node, _ reader: inout SchemaReader) {
        for (key, value) in node.mapping ?? [:] {
            for value in value.sequence.map(Array.init) ?? [value] where value.scalar?.string.contains("${") == true {
                let name = key.scalar?.string ?? ""
                reader.report("the value of the variable '\(name)' cannot use another variable", at: value)
            }
        }
    }

    /// Returns all combinations of values; the first variable changes slowest.
    private static func combinations(of matrix: [(String, [String])]) -> [Combination] {
        matrix.reduce([[]]) { combinations, variable in
            combinations.flatMap { combination in variable.1.map { combination + [(variable.0, $0)] } }
        }
    }

    private func scenario(_ text: FileText, _ combination: Combination) throws(FileFindings) -> Scenario {
        var sourceFiles: [SourceFile] = []
        try collect(text, isRoot: true, into: &sourceFiles, includedBy: [])
        var values: [String: String] = [:]
        for sourceFile in sourceFiles { values.merge(sourceFile.variables) { _, later in later } }
        values.merge(combination) { _, later in later }
        values.merge(variables) { _, later in later }
        return try ScenarioBuilder(schema, sourceFiles: sourceFiles, variables: values).scenario(combination.map(\.1))
    }

    /// A file of a scenario: the scenario's own, or an included one.
    struct SourceFile {
        let text: FileText
        let isRoot: Bool
        let variables: [String: String]
    }

    /// Collects a file and the files that it includes, which come first.
    private func collect(
        _ text: FileText,
        isRoot: Bool,
        into sourceFiles: inout [SourceFile],
        includedBy files: [String]
    ) throws(FileFindings) {
        var reader = SchemaReader(schema, file: text.file)
        let ownPath = URL(filePath: text.file).standardizedFileURL.path
        for node in text.root["include"].map({ $0.sequence.map(Array.init) ?? [$0] }) ?? [] {
            // The schema refuses anything but a path.
            guard let path = node.scalar?.string, !path.isEmpty, !node.isWithoutValue else { continue }
            let file = FileText.path(path, relativeTo: text.file)
            let includedPath = URL(filePath: file).standardizedFileURL.path
            // A file counts once, even if several files include it.
            let isRead = sourceFiles.contains { URL(filePath: $0.text.file).standardizedFileURL.path == includedPath }
            guard !isRead else { continue }
            if path.contains("${") {
                reader.report("'include' is '\(path)'; the path of an included file cannot use variables", at: node)
            } else if files.contains(includedPath) || includedPath == ownPath {
                reader.report("'\(path)' includes this file again", at: node)
            } else if let problem = Self.problem(ofFile: file, named: path) {
                reader.report(problem, at: node)
            } else {
                let text = try FileText(file: file, as: .included)
                try collect(text, isRoot: false, into: &sourceFiles, includedBy: files + [ownPath])
            }
        }
        if let variables = text.root["variables"] { recordNestedVariables(in: variables, &reader) }
        guard reader.findings.isEmpty else { throw FileFindings(reader.findings) }
        let values = text.root["variables"]?.mapping?.compactMap { key, value in
            key.scalar.flatMap { key in value.scalar.map { (key.string, $0.string) } }
        }
        let variables = Dictionary(values ?? [], uniquingKeysWith: { first, _ in first })
        sourceFiles.append(SourceFile(text: text, isRoot: isRoot, variables: variables))
    }

    /// Returns the reason why a file cannot be read, or `nil` if it can.
    static func problem(ofFile path: String, named name: String) -> String? {
        var isFolder = ObjCBool(false)
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard exists, isFolder.boolValue else { return exists ? nil : "there is no file '\(name)'" }
        return "'\(name)' is a folder, not a file"
    }
}
