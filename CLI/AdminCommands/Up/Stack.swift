internal import CFileSchemas
internal import DeviceFiles
internal import Foundation
internal import SchemaFiles
internal import WaypostSchema
internal import Yams

/// An app of a stack, which runs as a process on a device.
struct StackApp: Equatable, Sendable {
    /// The app file.
    var file: String

    /// The name of the device.
    var device: String

    /// The name of the app's process, which is in the name of its log file.
    var name: String {
        "app-\(URL(filePath: file).deletingPathExtension().lastPathComponent)-\(device)"
    }
}

/// The stack that `waypost up` starts, with the paths of everything.
struct Stack: Sendable {
    /// The name of the stack file if the user names no other.
    static let defaultFile = "waypost.yaml"

    /// The folder of device files that is used without a stack file.
    static let defaultDevices = "devices"

    /// The folder for data, logs and ready files, unless the user names another.
    private static let defaultFolder = "waypost-stack"

    /// The user's choices besides the stack file.
    struct Options {
        /// The folder for data, logs and ready files; `nil` for that of the stack file.
        var folder: String?

        /// Whether the listeners get free ports.
        var usesFreePorts = false

        /// Whether everyone who can reach this machine may call the gateway.
        var trustsNetwork = false

        /// The arguments for the gateway's options from the environment, by the names of the options.
        var gatewayVariables: [String: [String]] = [:]
    }

    /// The folder for the data, the logs and the ready files.
    let folder: URL

    /// The arguments of the gateway and of the agent; the agent is not started without devices.
    private(set) var gatewayArguments: [String]
    private(set) var agentArguments: [String]?

    /// The absolute paths of the device files, or of folders of them.
    let devices: [String]

    /// The apps, with the absolute paths of their files.
    let apps: [StackApp]

    /// Reads the stack that a file describes, with its device files and app files.
    ///
    /// The paths in the file are relative to its folder.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - options: the user's choices.
    ///   - schema: the schema of stack files; `nil` to parse it.
    ///   - readsFiles: whether the files that it names are read.
    /// - Throws: `FileFindings` with all problems and their places; `JSONError` if a schema is damaged.
    init(from path: String, _ options: Options, schema: FileSchema? = nil, readsFiles: Bool = true) throws {
        let kind = FileText.Kind(hint: "a stack is an object with 'devices', 'gateway' and 'apps'")
        var content = try SchemaFile(path, schema ?? .stack(), as: kind, called: "the stack")
        let value = content.value
        let stackFolder = URL(filePath: path).deletingLastPathComponent()
        func resolved(_ path: String?) -> String {
            URL(filePath: path ?? "", relativeTo: stackFolder).standardizedFileURL.path
        }
        folder =
            URL(filePath: options.folder ?? resolved(value["data"]?.string ?? Self.defaultFolder))
            .standardizedFileURL
        gatewayArguments = Self.arguments(value["gateway"])
        let gatewayOptions = Set((value["gateway"]?.members ?? [:]).keys)
        devices = (value["devices"]?.elements ?? []).map { resolved($0.string) }
        agentArguments =
            devices.isEmpty ? nil : devices.flatMap { ["--device", $0] } + Self.arguments(value["agent"])
        apps = (value["apps"]?.elements ?? []).map { app in
            StackApp(file: resolved(app["file"]?.string), device: app["device"]?.string ?? "")
        }
        if !apps.isEmpty, agentArguments == nil {
            content.report("apps need 'devices'", at: "apps")
        }
        if readsFiles {
            let (names, problems) = try Self.readDevices(devices)
            content.reader.report(try problems + Self.problems(of: apps))
            // A device whose file cannot be used has no name yet.
            if !devices.isEmpty, problems.isEmpty { Self.reportUnknownDevices(of: apps, among: names, in: &content) }
        }
        try content.throwProblems()
        addDefaults(options, besides: gatewayOptions)
    }

    /// Creates a stack of the device files in a folder.
    ///
    /// - Throws: `FileFindings` with all problems and their places; `JSONError` if a schema is damaged.
    init(ofDevicesIn path: String, _ options: Options) throws {
        devices = [URL(filePath: path).standardizedFileURL.path]
        folder = URL(filePath: options.folder ?? Self.defaultFolder).standardizedFileURL
        gatewayArguments = []
        agentArguments = devices.flatMap { ["--device", $0] }
        apps = []
        let problems = try Self.readDevices(devices).problems
        guard problems.isEmpty else { throw FileFindings(problems) }
        addDefaults(options)
    }

    /// Returns the names of the devices in device files and in folders of them, and the problems of the files.
    private static func readDevices(_ paths: [String]) throws -> (names: [String], problems: [FileFinding]) {
        let schema = try FileSchema.device()
        var files: [String: String] = [:]
        let problems = paths.flatMap { location in
            FileFindings.findings { () throws(FileFindings) in
                for path in try DeviceFile.paths(at: location) {
                    var file = try DeviceFile(path, schema)
                    let name = file.description.name
                    if let other = files.updateValue(path, forKey: name) { file.reportName(name, alsoIn: other) }
                    try file.content.throwProblems()
                }
            }
        }
        return (files.keys.sorted(), problems)
    }

    /// Returns the problems of the app files.
    private static func problems(of apps: [StackApp]) throws -> [FileFinding] {
        let schema = try FileSchema.app()
        return apps.flatMap { app in
            FileFindings.findings { () throws(FileFindings) in _ = try AppFile(app.file, schema) }
        }
    }

    /// Records the apps that run on a device that the stack does not have.
    private static func reportUnknownDevices(of apps: [StackApp], among names: [String], in content: inout SchemaFile) {
        let nodes = content.text.root["apps"]?.sequence.map(Array.init) ?? []
        for (app, node) in zip(apps, nodes) where !names.contains(app.device) {
            let hint = SchemaReader.suggestion(for: app.device, among: names, called: "its devices")
            content.reader.report("the stack has no device '\(app.device)'\(hint)", at: node["device"] ?? node)
        }
    }

    /// Creates the stack of Clown Town, the demo.
    ///
    /// - Throws: `CommandFailure` if its files cannot be written.
    init(ofClownTown options: Options) throws {
        folder = URL(filePath: options.folder ?? Self.defaultFolder).standardizedFileURL
        let demoFolder = folder.appending(path: "town")
        if !FileManager.default.fileExists(atPath: demoFolder.path) { try ClownTown.write(to: demoFolder) }
        gatewayArguments = []
        devices = [demoFolder.appending(path: "devices").path]
        agentArguments = devices.flatMap { ["--device", $0] }
        apps = [("ipad/clowntown", "iPad"), ("ipad/tv", "iPad"), ("mac/scripts", "Mac")].map { file, device in
            StackApp(file: demoFolder.appending(path: "apps/\(file).yaml").path, device: device)
        }
        addDefaults(options)
    }

    /// Whether everyone who can reach this machine may call the gateway.
    var trustsNetwork: Bool {
        gatewayArguments.contains("--trust-network")
    }

    /// Adds the options of the environment, the default addresses and the data folders, unless the file has them.
    ///
    /// - Parameters:
    ///   - options: the user's choices.
    ///   - fileOptions: the names of the gateway's options in the file.
    private mutating func addDefaults(_ options: Options, besides fileOptions: Set<String> = []) {
        func add(_ option: String, _ value: String, to arguments: inout [String]) {
            guard !arguments.contains(option) else { return }
            arguments += [option, value]
        }
        func address(_ port: Int, _ host: String = "127.0.0.1") -> String {
            "\(host):\(options.usesFreePorts ? 0 : port)"
        }
        for (name, arguments) in options.gatewayVariables.sorted(by: { $0.key < $1.key })
        where !fileOptions.contains(name) {
            gatewayArguments += arguments
        }
        if options.trustsNetwork, !trustsNetwork { gatewayArguments.append("--trust-network") }
        let host = trustsNetwork ? "0.0.0.0" : "127.0.0.1"
        add("--service", address(7330, host), to: &gatewayArguments)
        add("--courier", address(7331, host), to: &gatewayArguments)
        add("--provider-plaintext", address(7333, host), to: &gatewayArguments)
        add("--data", folder.appending(path: "gateway").path, to: &gatewayArguments)
        guard var arguments = agentArguments else { return }
        add("--control", address(7340), to: &arguments)
        add("--data", folder.appending(path: "agent").path, to: &arguments)
        agentArguments = arguments
    }

    /// Returns the arguments for options; those that are `false` are left out.
    private static func arguments(_ options: JSONValue?) -> [String] {
        (options?.members ?? [:]).sorted { $0.key < $1.key }.flatMap { name, value in
            switch value {
            case .bool(let isSet): isSet ? ["--\(name)"] : []
            default: ["--\(name)", value.plainText]
            }
        }
    }

    /// The files that a run writes; an earlier run may have left some.
    var generatedFiles: [String] {
        [readyFile(of: "stack")] + ["gateway", "agent"].flatMap { [readyFile(of: $0), logFile(of: $0)] }
            + apps.map { logFile(of: $0.name) }
    }

    /// Returns the path of the ready file of a process.
    func readyFile(of name: String) -> String {
        folder.appending(path: "\(name).ready.json").path
    }

    /// Returns the path of the log file of a process.
    func logFile(of name: String) -> String {
        folder.appending(path: "\(name).log").path
    }
}

extension FileSchema {
    /// Returns the schema of stack files.
    ///
    /// - Throws: `JSONError` if it is damaged.
    static func stack() throws -> Self {
        let config = JSONValue.object([
            "type": .string("string"), "minLength": .integer(1), "description": .string("A file of settings."),
        ])
        let gatewayOptions = try Self(
            .object(["$ref": .string("#/$defs/GatewaySettings"), "properties": .object(["config": config])]),
            including: ["GatewaySettings": Self(embedded: waypost_gateway_schema)]
        )
        return try Self(embedded: waypost_stack_schema, including: ["GatewayOptions": gatewayOptions])
    }
}
