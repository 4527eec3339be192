internal import ArgumentParser
internal import Foundation
internal import JSONScanning
internal import PayloadRules
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

/// A problem of a payload in a file, or something unusual in it.
struct PayloadReport: Encodable, Equatable {
    /// The consequences of a finding.
    enum Severity: String, Encodable {
        /// APNs refuses the payload.
        case error

        /// APNs accepts the payload, but devices ignore a part of it.
        case warning
    }

    /// The file.
    let file: String

    /// The place, both from 1; columns count bytes.
    let line: Int
    let column: Int

    /// The consequences.
    let severity: Severity

    /// The kind of finding, as in the gateway's answers, or the reason of APNs for an error.
    let code: String

    /// The finding, for people.
    let message: String

    /// The finding on one line, in the form that editors understand.
    var text: String {
        "\(file):\(line):\(column): \(severity.rawValue): \(message) [\(code)]"
    }
}

/// The `waypost payload check` command, which checks payloads.
struct PayloadCheckCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check payloads by the rules of APNs, and for what devices would ignore.",
        discussion: """
            A file has one payload in JSON; in an .apns file, "Simulator Target Bundle" is not part of it. The size counts \
            without spaces between the parts. Exits with 0 if nothing is found, with 1 if devices would ignore \
            something, and with 2 if APNs would refuse a payload.
            """
    )

    @Argument(help: "The files; '-' or no file: standard input.", completion: .file())
    var files: [String] = []

    @Option(help: "The push type.", completion: .pushTypes)
    var pushType = "alert"

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard PushType.known.contains(PushType(rawValue: pushType)) else {
            let known = PushType.known.map(\.rawValue).sorted().joined(separator: ", ")
            throw ValidationError("'\(pushType)' is not a push type; use one of \(known)")
        }
    }

    func perform() async throws {
        var reports: [PayloadReport] = []
        for path in files.isEmpty ? ["-"] : files {
            let file = InputFile(path: path)
            reports += Self.reports(on: try file.readToEnd(), named: file.name, PushType(rawValue: pushType))
        }
        try output.write(reports) { reports in
            reports.isEmpty ? "no problems" : reports.map(\.text).joined(separator: "\n")
        }
        if reports.contains(where: { $0.severity == .error }) {
            throw CommandFailure(status: .unusableInput, message: nil)
        }
        if !reports.isEmpty { throw CommandFailure.no() }
    }

    /// Returns the findings about a payload, in the order of their places.
    static func reports(on bytes: [UInt8], named file: String, _ pushType: PushType) -> [PayloadReport] {
        let lines = LineTable(bytes)
        func report(
            _ severity: PayloadReport.Severity,
            _ code: String,
            _ message: String,
            at offset: Int
        ) -> PayloadReport {
            let place = lines.place(of: offset)
            return PayloadReport(
                file: file,
                line: place.line,
                column: place.column,
                severity: severity,
                code: code,
                message: message
            )
        }
        do throws(PayloadCheck.Problem) {
            let findings = try PayloadCheck.findings(in: bytes, pushType).sorted { $0.offset < $1.offset }
            let warnings = findings.map {
                report(.warning, $0.finding.code.rawValue, $0.finding.message, at: $0.offset)
            }
            let (size, limit) = (Self.size(of: bytes), PayloadCheck.maximumSize(of: pushType, for: ""))
            guard size > limit else { return warnings }
            let message = "the payload has \(size) bytes; push type \(pushType) accepts at most \(limit)"
            return [report(.error, RejectionReason.payloadTooLarge.rawValue, message, at: 0)] + warnings
        } catch {
            switch error {
            case .notJSON(let problem):
                let message = "the payload is not JSON: \(problem)"
                return [report(.error, RejectionReason.payloadEmpty.rawValue, message, at: problem.offset)]
            case .notAnObject(let offset):
                return [report(.error, RejectionReason.payloadEmpty.rawValue, error.message, at: offset)]
            }
        }
    }

    /// Returns the size of a payload that is sent without spaces, and without the key of the Simulator.
    private static func size(of bytes: [UInt8]) -> Int {
        guard case .object(var members)? = try? DocumentDecoder.decode(JSONValue.self, fromWaypost: bytes) else {
            return bytes.count
        }
        members["Simulator Target Bundle"] = nil
        return (try? JSONText.line(JSONValue.object(members)).utf8.count) ?? bytes.count
    }
}
