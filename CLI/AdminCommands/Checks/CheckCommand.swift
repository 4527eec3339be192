internal import ArgumentParser
internal import DeviceFiles
internal import Fleets
internal import Foundation
internal import JSONScanning
internal import LoadTesting
internal import PushRules
internal import Scenarios
internal import SchemaFiles
internal import TextReports
internal import UniversalLinks
internal import WaypostSchema

/// The `waypost check` command, which checks files that people write.
struct CheckCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check files before you use them: the command tells by itself what each one is.",
        discussion: """
            It knows payloads (JSON, .apns), association files, and the files of devices, apps, scenarios, fleets, load \
            tests and stacks. It prints one line for each problem, with its file, line and column. Exits with 2 if a file \
            cannot be used, or if a gateway would refuse a payload; with 1 if there are errors or warnings; and with 0 \
            otherwise, also with notes. 'waypost payload check', 'waypost links check' and 'waypost callbacks' have \
            more options.
            """
    )

    @Argument(help: "The files, or folders of them; '-': standard input.", completion: .file())
    var files: [String]

    @Option(help: ArgumentHelp("The kind of the files, if nothing in them tells it.", valueName: "kind"))
    var kind: NameArgument<CheckedKind>?

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("Set a variable of the scenarios; may be given several times.", valueName: "name=value")
    )
    var variables: [String] = []

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        try ScenarioArguments.validate(variables)
    }

    func perform() async throws {
        let reports = try reports()
        try output.write(reports) { reports in reports.map(\.text).joined(separator: "\n") }
        if reports.contains(where: \.isUnusable) { throw CommandFailure(status: .unusableInput, message: nil) }
        if reports.contains(where: { $0.findings.contains { $0.severity != .note } }) { throw CommandFailure.failed() }
    }

    private func reports() throws -> [CheckedFile] {
        let paths = try files.flatMap { try Self.files(at: $0) }
        let input = try files.contains("-") ? InputFile(path: "-").readToEnd() : nil
        return try FileText.withStandardInput(input) {
            try paths.map { try CheckedFile($0, kind: kind?.value, variables: variables) }
        }
    }

    /// Returns a file, or the files in a folder and in its folders that may be of a known kind.
    private static func files(at path: String) throws(CommandFailure) -> [String] {
        guard path != "-" else { return [FileText.standardInputName] }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            return [path]
        }
        let folder = URL(filePath: path)
        let options: FileManager.DirectoryEnumerationOptions = [.skipsHiddenFiles]
        let content = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil, options: options)
        let files = (content?.compactMap { ($0 as? URL)?.path } ?? []).filter { file in
            // A folder may have other JSON.
            [".yaml", ".yml", ".apns", "apple-app-site-association"].contains { file.hasSuffix($0) }
                || file.hasSuffix(".json") && (try? CheckedKind.kind(of: file)) != nil
        }
        guard !files.isEmpty else { throw .unusable("\(path): the folder has no file of a known kind") }
        return files.sorted()
    }
}

/// A file that was checked, with what was found.
struct CheckedFile: Encodable {
    /// A problem, and its place.
    struct Finding: Encodable, Equatable {
        /// The file, which may be one that the checked file names.
        var file: String
        var line: Int
        var column: Int
        var severity: FindingSeverity
        var message: String
    }

    /// The path.
    let file: String

    /// The kind of the file; `nil` if it is not known.
    private(set) var kind: String?

    /// The problems, in the order of their places.
    private(set) var findings: [Finding]

    /// Whether the file cannot be used.
    private(set) var isUnusable = false

    private enum CodingKeys: CodingKey {
        case file, kind, findings
    }

    /// Checks a file.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - kind: the kind of the file; `nil` if the file tells it.
    ///   - variables: the values of variables of a scenario, as `name=value`.
    /// - Throws: `JSONError` if a schema is damaged.
    init(_ path: String, kind: CheckedKind?, variables: [String]) throws {
        file = path
        self.kind = kind?.rawValue
        findings = []
        do {
            let kind = try kind ?? CheckedKind.kind(of: path)
            self.kind = kind.rawValue
            try check(kind, variables: variables)
        } catch let error as FileFindings {
            // A person who gave the kind may have taken the file for one of another kind.
            let problems = kind?.explaining(error, of: path) ?? error
            findings = problems.findings.map { Finding($0, severity: .error) }
            isUnusable = true
        } catch let error as CommandFailure {
            findings = [
                Finding(file: path, line: 1, column: 1, severity: .error, message: error.message ?? "cannot be read")
            ]
            isUnusable = true
        }
    }

    private mutating func check(_ kind: CheckedKind, variables: [String]) throws {
        switch kind {
        case .app: findings = try Self.findings(inApp: file)
        case .device:
            findings = try Self.findings(inDevice: file)
            isUnusable = findings.contains { $0.severity == .error }
        case .fleet: _ = try FleetBehavior(file: file, .fleet())
        case .load: _ = try LoadProfile(file: file, .loadProfile())
        case .scenario where try !CheckedKind.hasSteps(file):
            let message = "it has no steps; it is checked with each scenario that includes it"
            findings = [Finding(file: file, line: 1, column: 1, severity: .note, message: message)]
        case .scenario:
            let loader = try ScenarioLoader(.scenario(), variables: ScenarioArguments.values(of: variables))
            // The combinations of a matrix have the same mistakes.
            let warnings = FileFindings(try loader.scenarios(in: file).flatMap(\.steps).flatMap(\.warnings))
            findings = warnings.findings.map { Finding($0, severity: .warning) }
        case .stack:
            let stack = try Stack(from: file, Stack.Options())
            findings = try stack.devices.flatMap(DeviceFile.paths).flatMap(Self.findings(inDevice:))
            // An app may run on several devices.
            findings += try Set(stack.apps.map(\.file)).sorted().flatMap(Self.findings(inApp:))
            isUnusable = findings.contains { $0.severity == .error }
        case .association:
            findings = AssociationCheck.findings(in: try bytes()).map { finding in
                let severity = FindingSeverity(rawValue: finding.severity.rawValue) ?? .note
                let instead = finding.instead.map { "; instead: \($0)" } ?? ""
                return Finding(
                    file: file,
                    line: finding.line,
                    column: finding.column,
                    severity: severity,
                    message: "\(finding.message)\(instead) [\(finding.code.rawValue)]"
                )
            }
        case .payload:
            let bytes = try bytes()
            let pushType = Self.pushType(of: bytes)
            let report = PayloadCheck.report(on: bytes, for: pushType)
            if pushType == "liveactivity" { findings = [liveActivityNote] }
            findings += report.findings.map { finding in
                let message = "\(finding.message) [\(finding.code)]"
                return Finding(
                    file: file,
                    line: finding.line,
                    column: finding.column,
                    severity: finding.severity,
                    message: message
                )
            }
            isUnusable = report.reason != nil
        }
    }

    /// The note about the push type of the payload, which nothing else in the report tells.
    private var liveActivityNote: Finding {
        let message = """
            it is checked as a Live Activity (push type liveactivity); for another one, use 'waypost payload check \
            --push-type TYPE'
            """
        return Finding(file: file, line: 1, column: 1, severity: .note, message: message)
    }

    private func bytes() throws(CommandFailure) -> [UInt8] {
        if let input = FileText.standardInput(for: file) { return input }
        return try InputFile(path: file).readToEnd()
    }

    /// Returns the problems of the associated domains and of the methods in an app file.
    private static func findings(inApp path: String) throws -> [Finding] {
        let app = try AppFile(path, .app()).app
        let root = try FileText(file: path).root
        return DomainCheck.findings(in: app, at: root, of: path) + CallbackCheck.findings(in: app, at: root, of: path)
    }

    /// Returns the problems of a device file that its schema accepts, with those of its associated domains and methods.
    private static func findings(inDevice path: String) throws -> [Finding] {
        let file = try DeviceFile(recordingProblemsIn: path, .device())
        let errors = file.content.reader.findings.map { Finding($0, severity: .error) }
        return (errors + DomainCheck.findings(in: file) + CallbackCheck.findings(in: file))
            .sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }

    /// Returns the push type for which a payload was probably written.
    private static func pushType(of payload: [UInt8]) -> PushType {
        let aps = (try? DocumentDecoder.decode(JSONValue.self, fromDeepJSON: payload))?["aps"]
        if ["event", "content-state", "attributes-type"].contains(where: { aps?[$0] != nil }) { return "liveactivity" }
        if aps?["content-changed"] != nil { return "widgets" }
        let isVisible = ["alert", "badge", "sound"].contains { aps?[$0] != nil }
        return aps?["content-available"] != nil && !isVisible ? .background : .alert
    }

    /// A line for each problem, in the form that editors understand; or the file with its kind.
    var text: String {
        let name = kind.flatMap(CheckedKind.init)?.name ?? "a file of an unknown kind"
        guard !findings.isEmpty else { return "✓ \(file): \(name), no problems" }
        return findings.map { "\($0.file):\($0.line):\($0.column): \($0.severity.rawValue): \($0.message)" }
            .joined(separator: "\n")
    }
}
