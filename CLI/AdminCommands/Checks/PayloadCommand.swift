internal import ArgumentParser
internal import DeviceFiles
internal import DeviceModel
internal import Foundation
internal import JSONScanning
internal import PushRules
internal import SchemaFiles
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

            With --app, payloads of Live Activities must decode into 'liveActivityTypes' of the app, as on a device.
            """
    )

    @Argument(help: "The files; '-' or no file: standard input.", completion: .file())
    var files: [String] = []

    @Option(help: "The push type (default: alert, or liveactivity with --app).", completion: .pushTypes)
    var pushType: String?

    @Option(
        help: ArgumentHelp("The app file or device file with the types of the Live Activities.", valueName: "file"),
        completion: .file()
    )
    var app: String?

    @Option(
        name: .customLong("app-id"),
        help: ArgumentHelp(
            "The bundle identifier of the app in a device file (default: the only one with such types).",
            valueName: "id"
        )
    )
    var appIdentifier: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard PushType.documented.contains(chosenPushType) else {
            let names = PushType.documented.map(\.rawValue).sorted().joined(separator: ", ")
            throw ValidationError("'\(chosenPushType)' is not a push type; use one of \(names)")
        }
        guard app == nil || chosenPushType == Self.liveActivity else {
            throw ValidationError("--app describes Live Activities; use it with --push-type \(Self.liveActivity)")
        }
        guard app != nil || appIdentifier == nil else {
            throw ValidationError("--app-id needs --app, the device file with the app")
        }
    }

    private static let liveActivity: PushType = "liveactivity"

    private var chosenPushType: PushType {
        pushType.map(PushType.init(rawValue:)) ?? (app == nil ? .alert : Self.liveActivity)
    }

    func perform() async throws {
        let reports = try reports(at: Timestamp(milliseconds: Int(Date.now.timeIntervalSince1970 * 1_000)))
        let findings = reports.flatMap { file in
            file.report.findings.map { PayloadFileFinding(file: file.name, finding: $0) }
        }
        try output.write(findings) { findings in
            findings.isEmpty ? "no problems" : findings.map(\.text).joined(separator: "\n")
        }
        if reports.contains(where: { $0.report.reason != nil }) {
            throw CommandFailure(status: .unusableInput, message: nil)
        }
        if findings.contains(where: { $0.finding.severity != .note }) { throw CommandFailure.failed() }
    }

    /// Returns the reports on the files.
    ///
    /// - Parameter now: the time near which the dates in Live Activities probably are.
    /// - Returns: the names of the files, with their reports.
    /// - Throws: `FileFindings` or `CommandFailure` if a file cannot be used.
    func reports(at now: Timestamp) throws -> [(name: String, report: PayloadReport)] {
        let check = try app.map { path in
            LiveActivityCheck(against: try liveActivityTypes(in: path), at: now)
        }
        return try (files.isEmpty ? ["-"] : files).map { path in
            let file = InputFile(path: path)
            let bytes = try file.readToEnd()
            let report = check?.report(on: bytes) ?? PayloadCheck.report(on: bytes, for: chosenPushType)
            return (name: file.name, report: report)
        }
    }

    /// Returns the types of the Live Activities of the chosen app.
    private func liveActivityTypes(in path: String) throws -> [String: LiveActivityType] {
        let apps = try AppDescription.read(path)
        let candidates = apps.filter { app in
            appIdentifier.map { app.bundleIdentifier.rawValue == $0 } ?? (app.liveActivityTypes != nil)
        }
        guard let app = candidates.first else {
            let names = apps.map(\.bundleIdentifier.rawValue).joined(separator: ", ")
            throw CommandFailure.unusable(
                appIdentifier.map { "\(path) does not describe \($0); it has \(names)" }
                    ?? "\(path) has no app with 'liveActivityTypes'"
            )
        }
        guard candidates.count == 1 else {
            let names = candidates.map(\.bundleIdentifier.rawValue).joined(separator: ", ")
            throw CommandFailure.unusable(
                "\(path) has several apps with 'liveActivityTypes'; choose one with --app-id: \(names)"
            )
        }
        guard let types = app.liveActivityTypes else {
            throw CommandFailure.unusable("\(path): \(app.bundleIdentifier) has no 'liveActivityTypes'")
        }
        return types
    }
}

extension AppDescription {
    /// Reads the app of an app file, or the apps of a device file.
    fileprivate static func read(_ path: String) throws -> [Self] {
        try FileText.readingOnce(path) {
            guard try CheckedKind.kind(of: path, preferring: .app) == .device else {
                return [try AppFile.read(path).app]
            }
            return try DeviceFile(path, .device()).description.apps
        }
    }
}
