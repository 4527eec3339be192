import AssociationFetching
import DeviceAgent
import GatewayClient
import GatewayTestSupport
import Synchronization
import WaypostSchema
import WaypostTestSupport

/// An agent whose device has an app with two domains: one served from a local file, and one whose file is missing.
struct LinkedAgent: Sendable {
    static let name = "Ava's iPad"
    static let app: ApplicationIdentifier = "ABCDE12345.com.example.clowntown"
    static let url = "https://clowntown.example/clowns/crusty"

    /// Returns an association file that offers the app the paths that match `pattern`.
    static func file(_ pattern: String) -> String {
        #"{"applinks":{"details":[{"appIDs":["\#(app)"],"components":[{"/":"\#(pattern)"}]}]}}"#
    }

    private static let device = DeviceDescription(
        name: name,
        apps: [
            AppDescription(
                bundleIdentifier: "com.example.clowntown",
                applicationIdentifier: app,
                associatedDomains: [
                    "applinks:clowntown.example?mode=developer", "applinks:balloons.example?mode=developer",
                    "clowntown.example",
                ],
                scenes: [SceneSession(persistentIdentifier: "all")]
            )
        ],
        associatedDomainsDevelopment: ["clowntown.example": "clowntown.json", "balloons.example": "balloons.json"]
    )

    let client: AgentClient

    /// The control API, for requests that the client does not support.
    let control: JSONCalls

    /// The folder of the local file.
    private let folder: ScratchFolder

    /// The path of the local file.
    var path: String { folder.path(of: "clowntown.json") }

    /// The path of the missing file.
    var missingPath: String { folder.path(of: "balloons.json") }

    /// Replaces the local file.
    func replaceFile(with text: String) throws {
        _ = try folder.write(text.utf8, to: "clowntown.json")
    }

    /// Returns the files of an agent that stores its devices, and whose app has one domain, and its decisions on `url`.
    static func answers(
        of file: String,
        data: String
    ) async throws -> (files: [AssociationFileStatus], decisions: [LinkDecision]) {
        try await RunningGateway.run { gateway in
            var description = device
            description.apps[0].associatedDomains = ["applinks:clowntown.example?mode=developer"]
            let device = ConfiguredDevice(
                description,
                developmentAssociations: ["clowntown.example": .localFile(path: file)]
            )
            let (service, courier) = (gateway.ready.service, gateway.ready.courier)
            var configuration = AgentConfiguration(devices: [device], service: service, courier: courier)
            configuration.data = data
            let found = Mutex<(files: [AssociationFileStatus], decisions: [LinkDecision])>(([], []))
            try await withAgent(configuration, sources: .waiting) { ready in
                let client = AgentClient(gateway.http, control: ready.control)
                let files = try await client.associationFiles(of: name)
                let decisions = try await client.explain(url, on: name)
                found.withLock { $0 = (files, decisions) }
            }
            return found.withLock { $0 }
        }
    }

    /// Runs `body` while an agent runs that fetches the file of one domain from a server.
    static func run(
        fetchingFrom server: String,
        _ body: @escaping @Sendable (AgentClient) async throws -> Void
    ) async throws {
        try await RunningGateway.run { gateway in
            var description = device
            description.apps[0].associatedDomains = ["applinks:clowntown.example?mode=developer"]
            let device = ConfiguredDevice(
                description,
                developmentAssociations: ["clowntown.example": .developmentServer(server)]
            )
            let (service, courier) = (gateway.ready.service, gateway.ready.courier)
            let configuration = AgentConfiguration(devices: [device], service: service, courier: courier)
            try await withAgent(configuration, sources: .waiting) { ready in
                try await body(AgentClient(gateway.http, control: ready.control))
            }
        }
    }

    /// The description of the app, as an installation has it.
    static var installedApp: AppDescription {
        var app = device.apps[0]
        app.associatedDomains = ["applinks:clowntown.example?mode=developer"]
        return app
    }

    /// Runs `body` while such an agent runs, and stops the agent when `body` returns.
    ///
    /// - Parameters:
    ///   - sharingTheFile: whether both domains have the same local file.
    ///   - body: what happens while the agent runs.
    /// - Throws: the error of `body`, or of an agent that does not start.
    static func run(
        sharingTheFile: Bool = false,
        _ body: @escaping @Sendable (LinkedAgent) async throws -> Void
    ) async throws {
        let folder = try ScratchFolder()
        let path = try folder.write(file("/clowns/*").utf8, to: "clowntown.json")
        let secondPath = sharingTheFile ? path : folder.path(of: "balloons.json")
        try await RunningGateway.run { gateway in
            let (service, courier) = (gateway.ready.service, gateway.ready.courier)
            let device = ConfiguredDevice(
                device,
                developmentAssociations: [
                    "clowntown.example": .localFile(path: path),
                    "balloons.example": .localFile(path: secondPath),
                ]
            )
            let configuration = AgentConfiguration(devices: [device], service: service, courier: courier)
            try await withAgent(configuration, sources: .waiting) { ready in
                let agent = LinkedAgent(
                    client: AgentClient(gateway.http, control: ready.control),
                    control: JSONCalls(gateway.http, base: ready.control),
                    folder: folder
                )
                try await body(agent)
            }
        }
    }
}
