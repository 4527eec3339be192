internal import ArgumentParser
internal import Foundation
internal import JSONScanning
internal import PushRules
internal import TextReports
internal import WaypostSchema

/// The `waypost payload` commands, which check payloads.
struct PayloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "payload",
        abstract: "Check the payloads of notifications before you send them.",
        subcommands: [PayloadCheckCommand.self]
    )
}

/// A finding about a payload in a file.
struct PayloadFileFinding: Encodable, Equatable {
    /// The file.
    let file: String

    /// The finding.
    let finding: PayloadFinding

    /// The finding on one line, in the form that editors understand.
    var text: String {
        "\(file):\(finding.line):\(finding.column): \(finding.severity.rawValue): \(finding.message) [\(finding.code)]"
    }

    private enum CodingKeys: CodingKey {
        case file
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(file, forKey: .file)
        try finding.encode(to: encoder)
    }
}

/// The `waypost payload check` command, which checks payloads.
struct PayloadCheckCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check payloads by the rules of APNs, and for what devices would ignore.",
        discussion: """
            A file has one payload in JSON; in an .apns file, "Simulator Target Bundle" is not part of it. The size counts \
            without spaces between the parts. Exits with 0 if nothing is found but notes, with 1 if there are errors or \
            warnings, and with 2 if a gateway would refuse a payload by default.
            """
    )

    @Argument(help: "The files; '-' or no file: standard input.", completion: .file())
    var files: [String] = []

    @Option(help: "The push type.", completion: .pushTypes)
    var pushType = "alert"

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard PushType.documented.contains(PushType(rawValue: pushType)) else {
            let names = PushType.documented.map(\.rawValue).sorted().joined(separator: ", ")
            throw ValidationError("'\(pushType)' is not a push type; use one of \(names)")
        }
    }

    func perform() async throws {
        var findings: [PayloadFileFinding] = []
        var isRefused = false
        for path in files.isEmpty ? ["-"] : files {
            let file = InputFile(path: path)
            let report = PayloadCheck.report(on: try file.readToEnd(), for: PushType(rawValue: pushType))
            findings += report.findings.map { PayloadFileFinding(file: file.name, finding: $0) }
            if report.reason != nil { isRefused = true }
        }
        try output.write(findings) { findings in
            findings.isEmpty ? "no problems" : findings.map(\.text).joined(separator: "\n")
        }
        if isRefused { throw CommandFailure(status: .unusableInput, message: nil) }
        if findings.contains(where: { $0.finding.severity != .note }) { throw CommandFailure.failed() }
    }
}
