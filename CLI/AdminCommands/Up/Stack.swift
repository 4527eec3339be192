internal import CFileSchemas
internal import DeviceFiles
internal import Foundation
internal import SchemaFiles
internal import WaypostSchema

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
    /// - Throws: `FileFindings` with all problems and their places; `JSONError` if a schema is damaged.
    init(from path: String, _ options: Options) throws {
        let kind = FileText.Kind(hint: "a stack is an object with 'devices', 'gateway' and 'apps'")
        var content = try SchemaFile(path, .stack(), as: kind, called: "the stack")
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
        content.reader.report(try Self.problems(ofDevices: devices, apps: apps))
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
        let problems = try Self.problems(ofDevices: devices, apps: [])
        guard problems.isEmpty else { throw FileFindings(problems) }
        addDefaults(options)
    }

    /// Returns the problems of the device files and app files.
    private static func problems(ofDevices devices: [String], apps: [StackApp]) throws -> [FileFinding] {
        let (deviceSchema, appSchema) = (try FileSchema.device(), try FileSchema.app())
        return devices.flatMap { device in
            FileFindings.findings { () throws(FileFindings) in
                for path in try DeviceFile.paths(at: device) { _ = try DeviceFile(path, deviceSchema) }
            }
        }
            + apps.flatMap { app in
                FileFindings.findings { () throws(FileFindings) in _ = try AppFile(app.file, appSchema) }
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
        try Self(embedded: waypost_stack_schema)
    }
}
