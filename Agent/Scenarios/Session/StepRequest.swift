internal import JSONScanning
internal import LocalFiles
package import SchemaFiles
internal import TextBasics
package import WaypostSchema
internal import Yams

/// A line of a session: a step, or the end of the test.
package enum StepRequest {
    case step(Step)

    /// Everything must have arrived, and what must never happen must not have happened.
    case finish

    /// The maximum size of a line, in bytes: that of a file, which could have the same step.
    private static let maximumSize = FileContents.maximumSize

    /// Reads a line.
    ///
    /// A line that is too long is refused before it is parsed, which could take minutes.
    ///
    /// - Parameters:
    ///   - line: the line, in JSON.
    ///   - schema: the schema of steps.
    ///   - names: the names of devices, apps and scenes.
    ///   - readsFiles: whether the photographs that steps name can be read here, and not only on another machine.
    ///   - id: receives the identifier of the line, even if the rest cannot be used.
    /// - Throws: `FileFindings` with the columns of the problems, which count an invisible character as its escape.
    package init(
        _ line: String,
        _ schema: FileSchema,
        names: ScenarioNames,
        readsFiles: Bool = true,
        id: inout JSONValue?
    )
        throws(FileFindings)
    {
        guard line.utf8.count <= Self.maximumSize else {
            throw Self.problem("the line has more than \(Self.maximumSize >> 20) MiB; write a shorter step")
        }
        do {
            // YAML would change some identifiers, such as great integers.
            id = try DocumentDecoder.decode(JSONValue.self, from: line.utf8)["id"]
        } catch {
            throw Self.problem("the line is not JSON: \(error)")
        }
        let text = try FileText(line.escapedForYAML, file: "line", as: .step)
        var reader = SchemaReader(schema, file: text.file, variables: nil, names: names)
        var members = Array(text.root.mapping ?? [:])
        members.removeAll { $0.key.scalar?.string == "id" }
        if let finish = members.first(where: { $0.key.scalar?.string == "finish" }) {
            guard members.count == 1, finish.value.scalar?.string == "true" else {
                reader.report("'finish' is always true, and stands alone", at: finish.key)
                throw FileFindings(reader.findings)
            }
            self = .finish
            return
        }
        var steps = StepReader(reader, readsFiles: readsFiles)
        let node = Node.mapping(Node.Mapping(members.map { ($0.key, $0.value) }, .implicit, .any, text.root.mark))
        guard let step = steps.read(node), steps.findings.isEmpty else { throw FileFindings(steps.findings) }
        self = .step(step)
    }

    /// Returns a problem of the line as a whole.
    private static func problem(_ message: String) -> FileFindings {
        FileFindings([FileFinding(place: SourcePlace(file: "line", line: 1, column: 1), message: message)])
    }
}

extension String {
    /// The JSON text with escapes for the characters that YAML refuses, or reads as line breaks.
    ///
    /// JSON has tabs and line breaks only between its tokens; YAML does not accept all of them there. It has other
    /// such characters only in strings.
    fileprivate var escapedForYAML: String {
        let bytes = utf8.map { byte in byte < 0x20 ? UInt8(ascii: " ") : byte }
        return String(decoding: bytes, as: UTF8.self).safe(for: .json)
    }
}
