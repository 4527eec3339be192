import AssociationFetching
import AsyncHTTPClient
import DeviceAgent
import Foundation
import GatewayClient
import GatewayTestSupport
import Testing
import WaypostSchema
import WaypostTestSupport

/// An agent with two apps, and what processes of these attach with.
struct AppAgent: Sendable {
    static let device = "Ava's iPad"
    static let tv: BundleIdentifier = "com.example.tv"
    static let clowns: BundleIdentifier = "com.example.clowntown"
    static let url = "https://tv.example/shows/lasso"

    /// A device on which the TV app has links, and Clown Town two scenes.
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

    /// What makes a link of Enrique's the first of the TV app's list.
    static let scenario: [DeviceEvent] = [
        .associationChecked(domain: "tv.example", source: "", .success(Array(file.utf8))),
        .contactChanged(Contact(id: "enrique", givenName: "Enrique", handles: ["+14085550101"])),
        .messageReceived(
            Message(id: "m1", conversation: "c1", sender: "+14085550101", text: "Crusty would love this: \(url)")
        ),
        .linkPinned("m1", url: nil),
    ]

    let gateway: RunningGateway
    let ready: AgentReadyFile
    let client: AgentClient

    /// The control API, for what the client does not ask.
    var control: JSONCalls { JSONCalls(gateway.http, base: ready.control) }

    /// Where the device is on the control API.
    let path = "/v1/devices/Ava%27s%20iPad"

    /// Lets events happen that all change something.
    func happen(_ events: [DeviceEvent]) async throws {
        for event in events {
            let reaction = try await client.happen(event, to: Self.device)
            for case .eventIgnored(let ignored) in reaction.effects { Issue.record("\(ignored)") }
        }
    }

    /// A process of an app.
    func process(of app: BundleIdentifier) async throws -> AppClient {
        AppClient(gateway.http, try await client.credential(of: app, on: Self.device))
    }

    /// The app API, as a process of an app calls it.
    func calls(of app: BundleIdentifier) async throws -> JSONCalls {
        let credential = try await client.credential(of: app, on: Self.device)
        return JSONCalls(gateway.http, base: credential.apps, token: credential.credential.rawValue)
    }

    /// Delivers a notification to the device and opens it.
    func open(_ id: NotificationID, about content: TargetContentIdentifier) async throws -> OpenedNotification {
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
        try await happen([.notificationDelivered(notification)])
        return try await client.open(id, on: Self.device)
    }

    /// Runs `body` beside such an agent.
    static func run(
        in folder: ScratchFolder? = nil,
        of gateway: RunningGateway,
        sources: AgentSources = .waiting,
        _ body: @escaping @Sendable (AppAgent) async throws -> Void
    ) async throws {
        let (service, courier) = (gateway.ready.service, gateway.ready.courier)
        var configuration = AgentConfiguration(device: description, service: service, courier: courier)
        // Nothing is asked for: what the domain says is told by the tests.
        configuration.developmentAssociations = ["tv.example": .localFile(path: "/nowhere")]
        configuration.data = folder?.path(of: "device")
        try await withAgent(configuration, sources: sources) { ready in
            try await body(
                AppAgent(gateway: gateway, ready: ready, client: AgentClient(gateway.http, control: ready.control))
            )
        }
    }

    /// Runs `body` beside such an agent and a gateway of its own.
    static func run(_ body: @escaping @Sendable (AppAgent) async throws -> Void) async throws {
        try await RunningGateway.run { gateway in try await run(of: gateway, body) }
    }
}

extension AppClient {
    /// Attaches and reads events until `isEnough` says so of all of them; returns them.
    func events(until isEnough: @Sendable ([AppEvent]) -> Bool) async throws -> [AppEvent] {
        try await events(doing: {}, until: isEnough)
    }

    /// Attaches, does something, and reads events until `isEnough` says so of all of them; returns them.
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
