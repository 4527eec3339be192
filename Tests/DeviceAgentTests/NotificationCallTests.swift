import GatewayClient
import GatewayTestSupport
import Testing
import WaypostSchema
import WaypostTestSupport

/// Calls of the system to processes of an app, over the app API, and the user's side of notifications.
@Suite(.timeLimit(.minutes(5))) struct NotificationCallTests {
    /// The app, which is in the foreground, with a service extension and actions.
    private static let app = AppDescription(
        bundleIdentifier: AppAgent.tv,
        displayName: "TV",
        scenes: [SceneSession(persistentIdentifier: "main", state: .foregroundActive)],
        notificationCategories: [
            NotificationCategory(
                identifier: "EPISODE",
                actions: [
                    NotificationAction(identifier: "WATCH", title: "Watch", options: [.foreground]),
                    NotificationAction(identifier: "REPLY", title: "Reply", textInputButtonTitle: "Send"),
                ]
            )
        ],
        notificationServiceExtension: true,
        backgroundModes: [.remoteNotification],
        supportsLiveActivities: true
    )

    private static func notification(
        _ id: NotificationID,
        _ aps: [String: JSONValue],
        suffix: String = ""
    ) -> DeviceEvent {
        .notification(
            .notificationDelivered(
                DeliveredNotification(
                    sequence: 1,
                    id: id,
                    token: "00",
                    topic: Topic(rawValue: AppAgent.tv.rawValue + suffix),
                    pushType: .alert,
                    priority: 10,
                    payload: .object(["aps": .object(aps)])
                )
            )
        )
    }

    private static let episode: [String: JSONValue] = ["alert": .string("Lasso"), "category": .string("EPISODE")]

    private static func run(_ body: @escaping @Sendable (AppAgent) async throws -> Void) async throws {
        try await AppAgent.run { agent in
            try await agent.apply([.system(.appInstalled(app))])
            try await body(agent)
        }
    }

    private static func calls(_ events: [AppEvent]) -> [AppCall] {
        events.compactMap { if case .called(let call) = $0 { call } else { nil } }
    }

    @Test func processAnswersWillPresent() async throws {
        try await Self.run { agent in
            let process = try await agent.process(of: AppAgent.tv)
            let events = try await process.events {
                try await agent.apply([Self.notification("n", Self.episode)])
            } until: {
                !Self.calls($0).isEmpty
            }
            let call = try #require(Self.calls(events).first)
            #expect((call.function, call.notification.id) == (.willPresent, "n"))
            #expect(try await agent.client.explain("n", on: AppAgent.device).presentation == .nowhere)
            try await process.finish(call, with: AppCallResult(presentationOptions: [.banner]))
            #expect(try await agent.client.explain("n", on: AppAgent.device).presentation == .immediate)
            let error = await #expect(throws: CallError.self) {
                try await process.finish(call, with: AppCallResult(presentationOptions: []))
            }
            guard case .refused(404, let refusal) = error else {
                Issue.record("\(error as Any)")
                return
            }
            #expect(refusal.code == "unknownCall")
        }
    }

    @Test func callWaitsForTheProcessOfItsProgram() async throws {
        try await Self.run { agent in
            let aps: [String: JSONValue] = [
                "alert": .string("secret"), "mutable-content": .integer(1), "content-available": .integer(1),
            ]
            try await agent.apply([Self.notification("n", aps)])
            let process = try await agent.process(of: AppAgent.tv)
            let events = try await process.events { !Self.calls($0).isEmpty }
            #expect(Self.calls(events).map(\.function) == [.didReceiveRemoteNotification])
            struct Finished: Error {}
            await #expect(throws: Finished.self) {
                try await process.follow(asServiceExtension: true, onAttached: {}) { event in
                    guard case .called(let call) = event else { return }
                    #expect(call.function == .didReceiveRequest)
                    let changed = JSONValue.object(["aps": .object(["alert": .string("decrypted")])])
                    try await process.finish(call, with: AppCallResult(payload: changed))
                    throw Finished()
                }
            }
            let shown = try await agent.client.notifications(of: AppAgent.device)
            #expect(shown.map(\.body) == ["decrypted"])
        }
    }

    @Test func extensionNamesTheSender() async throws {
        try await Self.run { agent in
            let contact = Contact(id: "enrique", givenName: "Enrique", handles: ["enrique@clowns.example"])
            let aps: [String: JSONValue] = ["alert": .string("Come over"), "mutable-content": .integer(1)]
            try await agent.apply([.sharing(.contactChanged(contact)), Self.notification("n", aps)])
            let process = try await agent.process(of: AppAgent.tv)
            struct Finished: Error {}
            await #expect(throws: Finished.self) {
                try await process.follow(asServiceExtension: true, onAttached: {}) { event in
                    guard case .called(let call) = event else { return }
                    let sender = CommunicationSender(handle: "enrique@clowns.example")
                    try await process.finish(call, with: AppCallResult(communication: Communication(sender: sender)))
                    throw Finished()
                }
            }
            let shown = try await agent.client.notifications(of: AppAgent.device)
            #expect(shown.map(\.title) == ["Enrique"])
            #expect(shown.map(\.sender) == ["enrique"])
        }
    }

    @Test func appRequestsNotificationsOfItsOwn() async throws {
        try await Self.run { agent in
            let calls = try await agent.calls(of: AppAgent.tv)
            let payload = JSONValue.object(["aps": .object(["alert": .string("The bread is ready")])])
            let request = LocalNotificationRequest(identifier: "bread", payload: payload)
            for _ in 0..<2 { try await calls.send(.post, "/v1/app/notifications", body: request) }
            let shown = try await agent.client.notifications(of: AppAgent.device)
            #expect(shown.map(\.body) == ["The bread is ready"])
            #expect(shown.map(\.isLocal) == [true])
            #expect(shown.first?.replaced != nil)
        }
    }

    @Test func extensionProcessIsNoProcessOfTheApp() async throws {
        try await Self.run { agent in
            let process = try await agent.process(of: AppAgent.tv)
            struct Seen: Error {}
            await #expect(throws: Seen.self) {
                try await process.follow(asServiceExtension: true) {
                    let apps = try await agent.client.apps(of: AppAgent.device)
                    #expect(apps.first { $0.app == AppAgent.tv }?.isRunning == false)
                    throw Seen()
                } handle: { _ in
                }
            }
        }
    }

    @Test func processOfAnAppThatWasForcedToQuitEnds() async throws {
        try await Self.run { agent in
            let events = try await agent.process(of: AppAgent.tv).events {
                try await agent.apply([.system(.appForceQuit(AppAgent.tv))])
            } until: {
                $0.last == .detached(.forceQuit)
            }
            #expect(events.last == .detached(.forceQuit))
        }
    }

    @Test func processOfAnAppThatReportsNoCallEnds() async throws {
        try await AppAgent.run { agent in
            var app = Self.app
            app.backgroundModes = [.voip]
            app.mustReportCalls = true
            let push = DeliveredNotification(
                sequence: 1,
                id: "call",
                token: "00",
                topic: "com.example.tv.voip",
                pushType: "voip",
                priority: 10,
                payload: .object([:])
            )
            try await agent.apply([.system(.appInstalled(app))])
            let events = try await agent.process(of: AppAgent.tv).events {
                try await agent.apply([
                    .notification(.notificationDelivered(push)),
                    .notification(.appCallFinished(AppAgent.tv, call: 1, AppCallResult())),
                ])
            } until: {
                $0.last == .detached(.callNotReported)
            }
            #expect(events.last == .detached(.callNotReported))
            let decision = try await agent.client.explain(push.id, on: AppAgent.device)
            #expect(decision.launch?.explanation.contains("it reported no call, so the system ended it") == true)
        }
    }

    @Test func personChoosesActionsAndSeesGroupsPicturesAndLiveActivities() async throws {
        try await Self.run { agent in
            let start: [String: JSONValue] = [
                "event": .string("start"), "timestamp": .integer(1), "attributes-type": .string("Match"),
                "attributes": .object([:]), "content-state": .object([:]),
            ]
            try await agent.apply([
                .scene(.sceneBackgrounded(AppAgent.tv, "main")), Self.notification("n", Self.episode),
                Self.notification("a", start, suffix: ".push-type.liveactivity"),
            ])
            let (client, device) = (agent.client, AppAgent.device)
            let reply = try await client.performAction("REPLY", text: "Yes", of: "n", on: device)
            guard case .notification(.appCalled(_, let call)) = reply.effects.first else {
                Issue.record("\(reply)")
                return
            }
            #expect(call.notification.userText == "Yes")
            let watch = try await client.performAction("WATCH", of: "n", on: device)
            guard case .scene(.sceneActivated(let opened)) = watch.effects.first else {
                Issue.record("\(watch)")
                return
            }
            #expect(opened.scene == "main")
            let center = try await client.notificationCenter(of: device)
            #expect(center.groups.map { $0.notifications.map(\.id) } == [["n"]])
            for picture in [
                try await client.picture(of: "n", isDark: true, on: device),
                try await client.picture(of: nil, isDark: false, on: device),
            ] {
                #expect(picture.contains("<svg") && picture.contains("Lasso") && picture.contains("TV"))
            }
            #expect(try await client.liveActivities(of: device).map(\.id) == ["a"])
            try await agent.control.delete(agent.path + "/liveActivities/a")
            #expect(try await client.liveActivities(of: device).isEmpty)
        }
    }

    @Test func topicsOfTheGatewayAreThoseOfTheApp() async throws {
        try await Self.run { agent in
            let service = JSONCalls(agent.gateway.http, base: agent.gateway.ready.service)
            let page: DevicePage = try await service.get("/v1/devices")
            let topics = page.devices.flatMap(\.device.topics)
            #expect(topics.contains("com.example.tv.push-type.liveactivity"))
            #expect(!topics.contains("com.example.tv.voip"))
        }
    }
}
