internal import ArgumentParser
internal import Foundation
internal import GatewayClient
internal import TextReports
internal import WaypostSchema

/// The `waypost context` commands, which manage named contexts.
struct ContextCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "context",
        abstract: "Name the gateways and agents that you use, and switch between them.",
        discussion: """
            A context is a set of values for --gateway, --ready-file, --admin-token-file, --namespace and --agent. \
            Options precede environment variables (WAYPOST_GATEWAY, WAYPOST_READY_FILE, WAYPOST_ADMIN_TOKEN_FILE, \
            WAYPOST_NAMESPACE, WAYPOST_AGENT, WAYPOST_AGENT_READY_FILE), and these precede the context: the one in \
            --context, in WAYPOST_CONTEXT, or the last one in 'waypost context use'. The contexts are in \
            ~/.config/waypost/settings.yaml, or in the file that WAYPOST_SETTINGS names.
            """,
        subcommands: [
            ContextListCommand.self, ContextShowCommand.self, ContextSetCommand.self, ContextUseCommand.self,
            ContextRemoveCommand.self,
        ]
    )
}

/// A context in the output of commands.
struct NamedContext: Encodable, Equatable {
    /// The name.
    let name: String

    /// Whether commands use it.
    let isUsed: Bool

    /// The settings.
    let settings: ContextSettings

    /// Returns the contexts of a file, by name.
    static func all(in file: ContextsFile) -> [Self] {
        (file.contexts ?? [:]).sorted { $0.key < $1.key }
            .map { Self(name: $0, isUsed: $0 == file.context, settings: $1) }
    }

    /// Returns contexts as a table.
    static func table(_ contexts: [Self]) -> any TextPresentable {
        guard !contexts.isEmpty else {
            return "There are no contexts; 'waypost context set NAME --gateway URL' adds one."
        }
        let rows = contexts.map { context in
            let settings = context.settings
            return [
                context.isUsed ? "▶" : "", context.name, settings.gateway ?? settings.readyFile ?? "",
                settings.namespace ?? "", settings.agent ?? settings.agentReadyFile ?? "",
            ]
        }
        return TextTable(header: ["", "Name", "Gateway", "Namespace", "Agent"], rows: rows)
    }
}

/// The `waypost context list` command, which lists the contexts.
struct ContextListCommand: ReportingCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the contexts, by name.")

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        try output.write(NamedContext.all(in: try ContextsStorage().read()), table: NamedContext.table)
    }
}

/// The `waypost context show` command, which shows a context.
struct ContextShowCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the settings of a context.",
        discussion: "Exits with 1 if no context is used."
    )

    @Argument(help: "The name of the context (default: the one that commands use).", completion: .contexts)
    var name: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let file = try ContextsStorage().read()
        let variable = ProcessInfo.processInfo.environment["WAYPOST_CONTEXT"]
        guard let name = name ?? variable ?? file.context else {
            throw CommandFailure.failed("no context is used; see 'waypost context list'")
        }
        let context = NamedContext(name: name, isUsed: name == file.context, settings: try file.settings(of: name))
        try output.write(context) { context in
            TextTable(header: ["Setting", context.name], rows: context.settings.pairs.map { [$0.key, $0.value] })
        }
    }
}

/// The `waypost context set` command, which adds or changes a context.
struct ContextSetCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Add a context, or change settings of one.",
        discussion: "Settings that are not given stay as they are; an empty value removes a setting."
    )

    @Argument(help: "The name of the context.", completion: .contexts)
    var name: String

    @Option(help: ArgumentHelp("The base URL of the gateway's service listener.", valueName: "url"))
    var gateway: String?

    @Option(help: ArgumentHelp("The gateway's ready file.", valueName: "file"), completion: .file())
    var readyFile: String?

    @Option(help: ArgumentHelp("The file with the administrative token.", valueName: "file"), completion: .file())
    var adminTokenFile: String?

    @Option(help: "The namespace.")
    var namespace: String?

    @Option(help: ArgumentHelp("The base URL of the agent's control API.", valueName: "url"))
    var agent: String?

    @Option(help: ArgumentHelp("The agent's ready file.", valueName: "file"), completion: .file())
    var agentReadyFile: String?

    func validate() throws {
        let isName =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "._-".utf8.contains(byte)
            }
        guard isName else { throw ValidationError("a name consists of letters, digits, '.', '_' and '-'") }
        for url in [gateway, agent].compactMap(\.self) where !url.isEmpty {
            if let error = ListenerURL.error(in: url) { throw ValidationError(error) }
        }
        if let namespace, !namespace.isEmpty, let error = Namespace.error(in: namespace) {
            throw ValidationError(error)
        }
    }

    func perform() async throws {
        let storage = ContextsStorage()
        var file = try storage.read()
        let settings = settings(updating: file.contexts?[name] ?? ContextSettings())
        file.contexts = (file.contexts ?? [:]).merging([name: settings]) { $1 }
        // The first context becomes the current one.
        if file.contexts?.count == 1 { file.context = name }
        try storage.write(file)
        StandardError.write(
            file.context == name
                ? "commands use the context \(name)" : "'waypost context use \(name)' makes commands use it"
        )
    }

    /// Returns settings with the values of the options.
    private func settings(updating previous: ContextSettings) -> ContextSettings {
        // A path must have the same meaning in every folder.
        func path(_ argument: String?) -> String? {
            argument.map { $0.isEmpty ? $0 : URL(filePath: $0).standardizedFileURL.path }
        }
        func value(_ option: String?, _ previous: String?) -> String? {
            option.map { $0.isEmpty ? nil : $0 } ?? previous
        }
        return ContextSettings(
            gateway: value(gateway, previous.gateway),
            readyFile: value(path(readyFile), previous.readyFile),
            adminTokenFile: value(path(adminTokenFile), previous.adminTokenFile),
            namespace: value(namespace, previous.namespace),
            agent: value(agent, previous.agent),
            agentReadyFile: value(path(agentReadyFile), previous.agentReadyFile)
        )
    }
}

/// The `waypost context use` command, which chooses the context that commands use.
struct ContextUseCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "use",
        abstract: "Choose the context that commands use from now on."
    )

    @Argument(help: "The name of the context.", completion: .contexts)
    var name: String

    func perform() async throws {
        let storage = ContextsStorage()
        var file = try storage.read()
        _ = try file.settings(of: name)
        file.context = name
        try storage.write(file)
        StandardError.write("commands use the context \(name)")
    }
}

/// The `waypost context remove` command, which removes a context.
struct ContextRemoveCommand: ReportingCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a context.")

    @Argument(help: "The name of the context.", completion: .contexts)
    var name: String

    func perform() async throws {
        let storage = ContextsStorage()
        var file = try storage.read()
        _ = try file.settings(of: name)
        file.contexts?[name] = nil
        if file.context == name { file.context = nil }
        try storage.write(file)
    }
}

extension CompletionKind {
    /// Completes the names of contexts.
    static var contexts: Self {
        .custom { _, _, _ in ((try? ContextsStorage().read())?.contexts ?? [:]).keys.sorted() }
    }
}
