import AssociationFetching
import AsyncHTTPClient
import DeviceAgent
import Foundation
import GatewayClient
import GatewayTestSupport
import Testing
import WaypostSchema
import WaypostTestSupport

/// An agent with two apps, and clients for processes of these apps.
struct AppAgent: Sendable {
    static let device = "Ava's iPad"
    static let tv: BundleIdentifier = "com.example.tv"
    static let clowns: BundleIdentifier = "com.example.clowntown"
    static let url = "https://tv.example/shows/lasso"

    /// A device with two apps: the TV app, which has links, and Clown Town, which has two scenes.
    static let description = DeviceDescription(
        name: device,
        apps: [
            AppDescription(
                bundleIdentifier: tv,
                applicationIdentifier: "ABCDE12345.com.example.tv",
                associatedDomains: ["applinks:tv.example?mode=developer"],
                sharedWithYou: true,
                scenes: [SceneSession(persistentIdentifier: "main", state: .foregroundActive)]
            ),
            AppDescription(
                bundleIdentifier: clowns,
                scenes: [
                    SceneSession(persistentIdentifier: "overview", state: .background),
                    SceneSession(persistentIdentifier: "crusty", state: .disconnected),
                ],
                shortcutItems: [
                    ShortcutItem(
                        type: "call",
                        localizedTitle: "Call Crusty",
                        targetContentIdentifier: "https://clowntown.example/clowns/crusty"
                    )
                ]
            ),
        ],
        associatedDomainsDevelopment: [:]
    )

    static let file =
        #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.tv"],"components":[{"/":"/shows/*"}]}]}}"#

    /// Events that put a link from Enrique at the top of the TV app's list.
    static let scenario: [DeviceEvent] = [
        .system(.associationChecked(domain: "tv.example", source: "", .success(Array(file.utf8)))),
        .sharing(.contactChanged(Contact(id: "enrique", givenName: "Enrique", handles: ["+14085550101"]))),
        .sharing(
            .messageReceived(
                Message(id: "m1", conversation: "c1", sender: "+14085550101", text: "Crusty would love this: \(url)")
            )
        ),
        .sharing(.linkPinned("m1", url: nil)),
    ]

    let gateway: RunningGateway
    let ready: AgentReadyFile
    let client: AgentClient

    /// The control API, for requests that the client does not support.
    var control: JSONCalls { JSONCalls(gateway.http, base: ready.control) }

    /// The path of the device on the control API.
    let path = "/v1/devices/Ava%27s%20iPad"

    /// Applies events, each of which must have an effect.
    func apply(_ events: [DeviceEvent]) async throws {
        for event in events {
            let reaction = try await client.apply(event, to: Self.device)
            for case .system(.eventIgnored(let ignored)) in reaction.effects { Issue.record("\(ignored)") }
        }
    }

    /// Returns the client of a process of an app.
    func process(of app: BundleIdentifier) async throws -> AppClient {
        AppClient(gateway.http, try await client.credential(of: app, on: Self.device))
    }

    /// Returns untyped calls of the app API with the credential of an app.
    func calls(of app: BundleIdentifier) async throws -> JSONCalls {
        let credential = try await client.credential(of: app, on: Self.device)
        return JSONCalls(gateway.http, base: credential.apps, token: { credential.credential.rawValue })
    }

    /// Delivers a notification to the device and opens it.
    func open(_ id: NotificationID, about content: TargetContentIdentifier) async throws -> OpenedScene {
        let aps = JSONValue.object(["target-content-id": .string(content.rawValue)])
        let notification = DeliveredNotification(
            sequence: 1,
            id: id,
            token: "00",
            topic: Topic(rawValue: Self.clowns.rawValue),
            pushType: .alert,
            priority: 10,
            payload: .object(["aps": aps])
        )
        try await apply([.notification(.notificationDelivered(notification))])
        return try await client.open(id, on: Self.device)
    }

    /// Runs `body` while such an agent runs.
    static func run(
        in folder: ScratchFolder? = nil,
        of gateway: RunningGateway,
        sources: AgentSources = .waiting,
        _ body: @escaping @Sendable (AppAgent) async throws -> Void
    ) async throws {
        let (service, courier) = (gateway.ready.service, gateway.ready.courier)
        // The agent fetches nothing; the tests supply the association file.
        let device = ConfiguredDevice(
            description,
            developmentAssociations: ["tv.example": .localFile(path: "/nowhere")]
        )
        var configuration = AgentConfiguration(devices: [device], service: service, courier: courier)
        configuration.data = folder?.path(of: "device")
        try await withAgent(configuration, sources: sources) { ready in
            try await body(
                AppAgent(gateway: gateway, ready: ready, client: AgentClient(gateway.http, control: ready.control))
            )
        }
    }

    /// Runs `body` while such an agent and a gateway of its own run.
    static func run(_ body: @escaping @Sendable (AppAgent) async throws -> Void) async throws {
        try await RunningGateway.run { gateway in try await run(of: gateway, body) }
    }
}

extension AppClient {
    /// Attaches and reads events until `isEnough` accepts all of them; returns the events.
    func events(until isEnough: @Sendable ([AppEvent]) -> Bool) async throws -> [AppEvent] {
        try await events(doing: {}, until: isEnough)
    }

    /// Attaches, runs `work`, and reads events until `isEnough` accepts all of them; returns the events.
    func events(
        doing work: () async throws -> Void,
        until isEnough: @Sendable ([AppEvent]) -> Bool
    ) async throws -> [AppEvent] {
        struct Enough: Error {}
        var events: [AppEvent] = []
        do {
            try await follow(onAttached: work) { event in
                events.append(event)
                if isEnough(events) { throw Enough() }
            }
        } catch is Enough {}
        return events
    }
}
