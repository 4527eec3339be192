internal import ArgumentParser
internal import Foundation
internal import GatewayClient
internal import TextReports
internal import WaypostSchema

/// The `waypost tokens create` command, which registers devices.
struct TokensCreateCommand: ReportingCommand {
    /// The maximum number of registrations at the same time.
    private static let maximumConcurrency = 16

    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Register devices, and print their tokens and secrets.",
        usage: """
            waypost tokens create --topic <topic> ... [--name <name>] [--token <token>] [--count <count>]
            waypost tokens create <file> --topic <topic> ...
            """,
        discussion: """
            The secret is the credential with which a device connects; the gateway shows it only now. With --count, \
            the names are numbered. A file has a token and, after a comma, a name on each line; '-' is standard input. \
            Exits with 2 if the gateway refuses a registration; standard error says which, and those that are printed \
            are registered.
            """
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Argument(help: "A file with the tokens to register, one a line.", completion: .file())
    var file: String?

    @Option(
        name: .customLong("topic"),
        help: "A topic for which the device accepts notifications; can be repeated.",
        completion: .topics
    )
    var topics: [String]

    @Option(help: "The name of the device.")
    var name = "device"

    @Option(help: "The token (default: a generated one).")
    var token: String?

    @Option(help: "The environment of the tokens: sandbox or production (default: both are accepted).")
    var environment: NameArgument<PushEnvironment>?

    @Option(help: "The number of devices.")
    var count = 1

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard (1...1_000_000).contains(count) else { throw ValidationError("--count must be 1 to 1000000") }
        guard file == nil || (count == 1 && token == nil) else {
            throw ValidationError("a file has the tokens, so --count and --token cannot be given")
        }
        guard topics.allSatisfy({ !$0.isEmpty }) else {
            throw ValidationError("--topic must not be empty; use an app's bundle identifier")
        }
        guard token == nil || count == 1 else { throw ValidationError("several devices cannot have one --token") }
    }

    func perform() async throws {
        let command = self
        try await InterruptibleRun.run { try await command.register() }
    }

    private func register() async throws {
        let registrations = try registrations()
        var writer = output.writer(table: Self.table)
        try await gateway.withClient { client in
            var remaining = registrations[...]
            let progress = ProgressLine("registering", unit: .items, total: registrations.count, isQuiet: output.quiet)
            defer { progress.end() }
            while !remaining.isEmpty {
                let createdDevices = try await Self.register(remaining.prefix(Self.maximumConcurrency), client)
                for device in createdDevices { try writer.write(device) }
                remaining = remaining.dropFirst(Self.maximumConcurrency)
                progress.set(done: registrations.count - remaining.count)
            }
        }
        try writer.finish()
    }

    /// Returns the registrations to make, in order.
    private func registrations() throws -> [DeviceRegistration] {
        let topics = topics.map(Topic.init(rawValue:))
        guard let file else {
            return (1...count).map { number in
                DeviceRegistration(
                    name: count == 1 ? name : "\(name) \(number)",
                    topics: topics,
                    token: token.map(DeviceToken.init(rawValue:)),
                    environment: environment?.value
                )
            }
        }
        var registrations: [DeviceRegistration] = []
        try LineInput(files: [file]).forEachLine { line in
            let parts = try line.string().split(separator: ",", maxSplits: 1).map {
                String($0).trimmingCharacters(in: .whitespaces)
            }
            // The first line may have the titles of the columns.
            guard let token = parts.first, !(registrations.isEmpty && token.lowercased() == "token") else { return }
            let name = parts.count > 1 && !parts[1].isEmpty ? parts[1] : "\(name) \(registrations.count + 1)"
            registrations.append(
                DeviceRegistration(
                    name: name,
                    topics: topics,
                    token: DeviceToken(rawValue: token),
                    environment: environment?.value
                )
            )
        }
        guard !registrations.isEmpty else { throw CommandFailure.unusable("\(file): has no tokens") }
        return registrations
    }

    private static func register(
        _ registrations: ArraySlice<DeviceRegistration>,
        _ client: GatewayClient
    ) async throws -> [CreatedDevice] {
        try await withThrowingTaskGroup(of: (Int, CreatedDevice).self) { group in
            for (index, registration) in registrations.enumerated() {
                group.addTask {
                    let credential = try await client.register(registration)
                    return (index, CreatedDevice(name: registration.name, credential: credential))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    static func table(_ devices: [CreatedDevice]) -> any TextPresentable {
        TextTable(
            header: ["Name", "Token", "Secret"],
            rows: devices.map { [$0.name, $0.token.rawValue, $0.secret.rawValue] }
        )
    }
}

/// A device that the command registered.
struct CreatedDevice: Encodable, Sendable {
    /// The name.
    let name: String

    /// The token, to which providers send.
    let token: DeviceToken

    /// The secret, with which the device connects.
    let secret: BearerSecret

    /// Creates the value from the gateway's response.
    init(name: String, credential: DeviceCredential) {
        self.name = name
        token = credential.token
        secret = credential.secret
    }
}
