internal import CCommandFiles
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

    /// The name of its process, for the log.
    var name: String {
        "app-\(URL(filePath: file).deletingPathExtension().lastPathComponent)-\(device)"
    }
}

/// The stack that `waypost up` starts, with the paths of everything.
struct Stack: Sendable {
    /// The name of the stack file that is used without being named.
    static let standardFile = "waypost.yaml"

    /// The folder for the data, the logs and the ready files.
    let folder: URL

    /// The arguments of the gateway and of the agent; the agent is not started without devices.
    private(set) var gateway: [String]
    private(set) var agent: [String]?

    /// The apps, whose files have whole paths.
    let apps: [StackApp]

    /// Reads the stack that a file describes; its paths are relative to its folder.
    ///
    /// - Throws: `FileFindings` with all problems and their places; the error of a damaged schema.
    init(from path: String, usesFreePorts: Bool) throws {
        let schema = try FileSchema(embedded: waypost_stack_schema)
        let text = try FileText(
            file: path,
            as: .init(sentence: "a stack is an object with 'devices', 'gateway' and 'apps'")
        )
        var reader = SchemaReader(schema, file: path, variables: nil) { _, _ in nil }
        let value = reader.read(text.root, as: schema.root, called: "the stack")
        guard let value, reader.findings.isEmpty else { throw FileFindings(reader.findings) }
        let home = URL(filePath: path).deletingLastPathComponent()
        func resolved(_ path: String?) -> String {
            URL(filePath: path ?? "", relativeTo: home).standardizedFileURL.path
        }
        folder = URL(filePath: resolved(value["data"]?.string ?? "waypost-stack"))
        gateway = Self.arguments(value["gateway"])
        let devices = (value["devices"]?.elements ?? []).flatMap { ["--device", resolved($0.string)] }
        agent = devices.isEmpty ? nil : devices + Self.arguments(value["agent"])
        apps = (value["apps"]?.elements ?? []).map { app in
            StackApp(file: resolved(app["file"]?.string), device: app["device"]?.string ?? "")
        }
        if !apps.isEmpty, agent == nil {
            reader.note("apps need 'devices'", at: text.root["apps"] ?? text.root)
            throw FileFindings(reader.findings)
        }
        addDefaults(usesFreePorts)
    }

    /// Creates the stack of Clown Town, the world of the demo, in a folder.
    ///
    /// - Throws: `CommandFailure` if its files cannot be written.
    init(ofClownTownIn path: String, usesFreePorts: Bool) throws {
        folder = URL(filePath: path).standardizedFileURL
        let town = folder.appending(path: "town")
        if !FileManager.default.fileExists(atPath: town.path) { try ClownTown.write(to: town) }
        gateway = []
        agent = ["--device", town.appending(path: "devices").path]
        apps = [("ipad/clowntown", "iPad"), ("ipad/tv", "iPad"), ("mac/scripts", "Mac")].map { file, device in
            StackApp(file: town.appending(path: "apps/\(file).yaml").path, device: device)
        }
        addDefaults(usesFreePorts)
    }

    /// Adds what the file does not say: the addresses, and the folders of the data.
    private mutating func addDefaults(_ usesFreePorts: Bool) {
        func add(_ option: String, _ value: String, to arguments: inout [String]) {
            guard !arguments.contains(option) else { return }
            arguments += [option, value]
        }
        func address(_ port: Int) -> String {
            "127.0.0.1:\(usesFreePorts ? 0 : port)"
        }
        add("--service", address(7330), to: &gateway)
        add("--courier", address(7331), to: &gateway)
        add("--provider-plaintext", address(7333), to: &gateway)
        add("--data", folder.appending(path: "gateway").path, to: &gateway)
        guard var arguments = agent else { return }
        add("--control", address(7340), to: &arguments)
        add("--data", folder.appending(path: "agent").path, to: &arguments)
        agent = arguments
    }

    /// Returns the arguments for options; those that are `false` are left out.
    private static func arguments(_ options: JSONValue?) -> [String] {
        (options?.members ?? [:]).sorted { $0.key < $1.key }.flatMap { name, value in
            switch value {
            case .bool(let isGiven): isGiven ? ["--\(name)"] : []
            default: ["--\(name)", value.plainText]
            }
        }
    }

    /// The files that a run writes, which an earlier one may have left.
    var ownFiles: [String] {
        ["gateway", "agent"].flatMap { [readyFile(of: $0), log(of: $0)] } + apps.map { log(of: $0.name) }
    }

    /// Returns the path of the ready file of a process.
    func readyFile(of name: String) -> String {
        folder.appending(path: "\(name).ready.json").path
    }

    /// Returns the path of the log of a process.
    func log(of name: String) -> String {
        folder.appending(path: "\(name).log").path
    }
}
