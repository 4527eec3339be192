import JSONScanning
import Scenarios
import SchemaFiles
import WaypostSchema

extension FuzzTarget {
    /// A line that another program writes to an agent.
    static let stepLines = FuzzTarget(
        name: "step-lines",
        summary: "lines of steps over standard input; an answer has the identifier of the line and columns in it"
    ) { bytes in
        let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        // A step may name an app file.
        guard !["/dev", "/proc", "/sys"].contains(where: { line.contains($0) }) else { return }
        let document = try? DocumentDecoder.decode(JSONValue.self, from: line.utf8)
        var id: JSONValue?
        do throws(FileFindings) {
            _ = try StepRequest(line, session.schema, names: session.names, readsFiles: false, id: &id)
            promise(document != nil, "a step is JSON")
        } catch {
            checkProblems(error.findings, of: line)
        }
        promise(id == document?["id"], "an answer has the identifier of its line", found: id as Any)
    }

    private static func checkProblems(_ findings: [FileFinding], of line: String) {
        promise(!findings.isEmpty, "a line that is refused has a problem")
        // A character beyond ASCII may count as its escape.
        let escapedLine = line.unicodeScalars.reduce(into: "") { text, scalar in
            text += scalar.value > 0x7E ? "\\uFFFF" : String(Character(scalar))
        }
        let places = FilePlaces(escapedLine)
        for finding in findings where finding.place.file == "line" {
            promise(!finding.message.isEmpty, "a problem has a message", found: finding)
            promise(places.contains(finding.place), "the column of a problem is in the line", found: finding)
        }
    }

    private static let session = SampleSession()
}

/// The devices, apps and scenes that steps may name.
private struct SampleSession {
    let schema: FileSchema
    let names: ScenarioNames

    /// The device of the scenario that the names are from.
    private static let scenario = """
        name: A device
        devices:
          iPad:
            apps: [{ bundleIdentifier: com.example.clowntown, scenes: [{ persistentIdentifier: overview }] }]
        steps:
          - advance: 1s
        """

    init() {
        do {
            let schema = try FileSchema.scenario()
            let scenarios = try FileText.withStandardInput(Array(Self.scenario.utf8)) {
                try ScenarioLoader(schema).scenarios(in: FileText.standardInputName)
            }
            guard let scenario = scenarios.first else { endUnprepared("there is no scenario") }
            self.schema = schema
            names = ScenarioNames(of: scenario)
        } catch {
            endUnprepared("the scenario cannot be read: \(error)")
        }
    }
}
