internal import DescriptionFiles
internal import Foundation
internal import WaypostSchema

/// A file that describes a local stack: a gateway, devices and apps.
struct StackFile: Codable, Equatable, Sendable {
    /// An app that runs as a process on a device.
    struct App: Codable, Equatable, Sendable {
        /// The app file.
        var file: String

        /// The name of the device.
        var device: String

        /// The name of its process, for the log.
        var name: String {
            "app-\(URL(filePath: file).deletingPathExtension().lastPathComponent)-\(device)"
        }
    }

    /// The folder for the data, the logs and the ready files; `waypost-stack` if absent.
    var data: String?

    /// Options of `waypost-gateway`, without the dashes.
    var gateway: [String: JSONValue]?

    /// The device files, or folders of them.
    var devices: [String]?

    /// Options of `waypost-agent`, without the dashes.
    var agent: [String: JSONValue]?

    /// The apps.
    var apps: [App]?
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
    let apps: [StackFile.App]

    /// Reads the stack that a file describes; its paths are relative to its folder.
    ///
    /// - Throws: `CommandFailure` that names the file and what cannot be used.
    init(from path: String, usesFreePorts: Bool) throws(CommandFailure) {
        let file = try DescriptionFile.readInput(StackFile.self, from: path)
        let home = URL(filePath: path).deletingLastPathComponent()
        func resolved(_ path: String) -> String {
            URL(filePath: path, relativeTo: home).standardizedFileURL.path
        }
        folder = URL(filePath: resolved(file.data ?? "waypost-stack"))
        gateway = try Self.arguments(file.gateway, in: path)
        let devices = (file.devices ?? []).flatMap { ["--device", resolved($0)] }
        agent = devices.isEmpty ? nil : devices + (try Self.arguments(file.agent, in: path))
        apps = (file.apps ?? []).map { StackFile.App(file: resolved($0.file), device: $0.device) }
        guard apps.isEmpty || agent != nil else { throw .unusable("\(path): apps need 'devices'") }
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
            StackFile.App(file: town.appending(path: "apps/\(file).yaml").path, device: device)
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

    private static func arguments(
        _ options: [String: JSONValue]?,
        in path: String
    ) throws(CommandFailure) -> [String] {
        var arguments: [String] = []
        for (name, value) in (options ?? [:]).sorted(by: { $0.key < $1.key }) {
            switch value {
            case .bool(true): arguments.append("--\(name)")
            case .bool(false): break
            case .string(let text): arguments += ["--\(name)", text]
            case .integer(let number): arguments += ["--\(name)", "\(number)"]
            default: throw .unusable("\(path): '\(name)' must be a text, a number, true or false")
            }
        }
        return arguments
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
