import AsyncHTTPClient
import GatewayClient
import GatewayTestSupport
import NIOCore
import NIOHTTP1
import Testing
import WaypostSchema
import WaypostTestSupport

/// A process of an app, and its device.
@Suite(.timeLimit(.minutes(5))) struct AppProcessTests {
    private static let crusty: TargetContentIdentifier = "https://clowntown.example/clowns/crusty"
    private static let conditions = ActivationConditions(
        can: "SELF == '\(crusty)'",
        prefers: "SELF == '\(crusty)'"
    )

    @Test func credentialGivesAccessToOneApp() async throws {
        try await AppAgent.run { agent in
            let (tv, clowns) = (try await agent.process(of: AppAgent.tv), try await agent.process(of: AppAgent.clowns))
            let (first, second) = (try await tv.app(), try await clowns.app())
            #expect(first.bundleIdentifier == AppAgent.tv)
            #expect(second.scenes.map(\.persistentIdentifier) == ["overview", "crusty"])
            let error = await #expect(throws: CallError.self) {
                try await clowns.set(Self.conditions, of: "main")
            }
            guard case .refused(404, let refusal) = error else {
                _ = Issue.record("\(error as Any)")
                return
            }
            #expect(refusal.code == "unknownScene")
        }
    }

    @Test(arguments: ["Bearer 00", "Bearer", "", "Basic 00"])
    func requestWithoutACredentialIsRefused(_ authorization: String) async throws {
        try await AppAgent.run { agent in
            let apps = try #require(agent.ready.apps)
            var request = HTTPClientRequest(url: apps + "/v1/app/highlights")
            if !authorization.isEmpty { request.headers.add(name: "authorization", value: authorization) }
            let response = try await agent.gateway.http.execute(request, timeout: .seconds(60))
            #expect(response.status == .unauthorized)
        }
    }

    @Test func credentialEndsWithItsApp() async throws {
        try await AppAgent.run { agent in
            let tv = try await agent.process(of: AppAgent.tv)
            let events = try await tv.events {
                try await agent.control.delete(agent.path + "/apps/\(AppAgent.tv)")
            } until: {
                $0.last == .detached(.removed)
            }
            #expect(events.last == .detached(.removed))
            let error = await #expect(throws: CallError.self) { _ = try await tv.app() }
            guard case .refused(401, _) = error else {
                _ = Issue.record("\(error as Any)")
                return
            }
        }
    }

    @Test(.proves("T7", "T8")) func coldLaunchHasItsActivationInTheConnectionOptions() async throws {
        try await AppAgent.run { agent in
            let clowns = try await agent.process(of: AppAgent.clowns)
            try await clowns.set(Self.conditions, of: "crusty")
            let opened = try await agent.open("n1", about: Self.crusty)
            #expect(opened.scene == "crusty")
            let events = try await clowns.events { !$0.isEmpty }
            guard case .sceneConnected(let scene) = events.first else {
                _ = Issue.record("\(events)")
                return
            }
            #expect(scene.session.persistentIdentifier == "crusty")
            #expect(scene.connectionOptions.map(\.notification?.id) == ["n1"])
        }
    }

    @Test func runningAppReceivesItsActivationAsAnEvent() async throws {
        try await AppAgent.run { agent in
            let clowns = try await agent.process(of: AppAgent.clowns)
            _ = try await agent.open("n1", about: "overview")
            let events = try await clowns.events {
                _ = try await agent.open("n2", about: "overview")
            } until: { events in
                events.contains { if case .sceneActivated(let it) = $0 { it.notification?.id == "n2" } else { false } }
            }
            guard case .sceneConnected(let scene) = events.first, case .sceneActivated(let again) = events[1],
                case .sceneActivated(let activation) = events.last
            else {
                _ = Issue.record("\(events)")
                return
            }
            #expect(scene.connectionOptions.map(\.notification?.id) == ["n1"])
            // A response comes with the connection of its scene, and again with the same number.
            #expect(again.number == scene.connectionOptions.first?.number)
            #expect(activation.method == "userNotificationCenter(_:didReceive:withCompletionHandler:)")
        }
    }

    @Test(.proves("B69")) func processHandlesTheActivityOfAUniversalLink() async throws {
        let activity = UserActivity(activityType: "NSUserActivityTypeBrowsingWeb", webpageURL: AppAgent.url)
        try await AppAgent.run { agent in
            let tv = try await agent.process(of: AppAgent.tv)
            try await agent.apply([AppAgent.scenario[0], .scene(.urlOpened(AppAgent.url, from: nil))])
            let events = try await tv.events {
                try await agent.apply([.scene(.urlOpened(AppAgent.url, from: nil))])
            } until: { events in
                events.contains { if case .sceneActivated = $0 { true } else { false } }
            }
            guard case .sceneConnected(let scene) = events.first, case .sceneActivated(let running) = events.last else {
                _ = Issue.record("\(events)")
                return
            }
            // The first link was opened before the process ran.
            let launching = try #require(scene.connectionOptions.first)
            #expect([launching, running].map(\.userActivity) == [activity, activity])
            for activation in [launching, running] { try await tv.take(activation) }
            let next = try await tv.events { !$0.isEmpty }
            guard case .sceneConnected(let again) = next.first else {
                _ = Issue.record("\(next)")
                return
            }
            #expect(again.connectionOptions.isEmpty, "both activities are handled")
        }
    }

    @Test func activationIsKeptUntilAProcessTakesIt() async throws {
        try await AppAgent.run { agent in
            let clowns = try await agent.process(of: AppAgent.clowns)
            _ = try await agent.open("n1", about: "overview")
            // The first process ends before it takes its activation.
            _ = try await clowns.events { !$0.isEmpty }
            let again = try await clowns.events { !$0.isEmpty }
            guard case .sceneConnected(let scene) = again.first, let activation = scene.connectionOptions.first else {
                _ = Issue.record("\(again)")
                return
            }
            try await clowns.take(activation)
            let third = try await clowns.events { !$0.isEmpty }
            guard case .sceneConnected(let later) = third.first else {
                _ = Issue.record("\(third)")
                return
            }
            #expect(later.connectionOptions.isEmpty)
            let error = await #expect(throws: CallError.self) { try await clowns.take(activation) }
            guard case .refused(404, let refusal) = error else {
                _ = Issue.record("\(error as Any)")
                return
            }
            #expect(refusal.code == "unknownActivation")
        }
    }

    @Test func secondProcessReplacesTheFirst() async throws {
        try await AppAgent.run { agent in
            let clowns = try await agent.process(of: AppAgent.clowns)
            let events = try await clowns.events {
                _ = try await agent.open("n1", about: "overview")
                _ = try await clowns.events { !$0.isEmpty }
            } until: {
                if case .detached = $0.last { true } else { false }
            }
            #expect(events.last == .detached(.replaced))
        }
    }

    /// A scene's conditions are packaged while its app runs.
    ///
    /// Afterwards, the device selects the scene without the app.
    @Test(.proves("T5", "T6", "T11", "T47")) func sceneIsSelectedWithoutTheApp() async throws {
        let folder = try ScratchFolder()
        try await RunningGateway.run { gateway in
            let (before, trace) = try await withKeptAgent(gateway, folder) { agent in
                let clowns = try await agent.process(of: AppAgent.clowns)
                // The process attaches, sets the conditions, and is killed.
                _ = try await clowns.events {
                    try await clowns.set(Self.conditions, of: "crusty")
                    try await agent.apply([.scene(.appOpened(AppAgent.clowns))])
                } until: {
                    !$0.isEmpty
                }
                try await agent.apply([.system(.snapshotTaken("before"))])
                let opened = try await agent.open("n1", about: Self.crusty)
                try await agent.apply([.system(.deviceRestored(snapshot: "before"))])
                return (opened.scene, opened.decision)
            }
            try await withKeptAgent(gateway, folder) { agent in
                let opened = try await agent.open("n2", about: Self.crusty)
                #expect(opened.scene == before)
                #expect(opened.decision == trace)
                #expect(opened.scene == "crusty")
            }
        }
        withExtendedLifetime(folder) {}
    }

    private func withKeptAgent<Value: Sendable>(
        _ gateway: RunningGateway,
        _ folder: ScratchFolder,
        _ body: @escaping @Sendable (AppAgent) async throws -> Value
    ) async throws -> Value {
        let (values, value) = AsyncStream.makeStream(of: Value.self)
        try await AppAgent.run(in: folder, of: gateway) { agent in value.yield(try await body(agent)) }
        for await value in values { return value }
        throw CancellationError()
    }

    @Test(.proves("T36")) func disconnectedSceneIsRestoredWithItsActivity() async throws {
        try await AppAgent.run { agent in
            let clowns = try await agent.process(of: AppAgent.clowns)
            let activity = UserActivity(activityType: "clown", userInfo: .object(["page": .integer(2)]))
            try await clowns.set(activity, of: "overview")
            try await agent.apply([
                .scene(.sceneDisconnected(AppAgent.clowns, "overview")),
                .scene(.sceneBroughtForward(AppAgent.clowns, "overview", nil)),
            ])
            let events = try await clowns.events { !$0.isEmpty }
            guard case .sceneConnected(let scene) = events.first else {
                _ = Issue.record("\(events)")
                return
            }
            #expect(scene.session.stateRestorationActivity == activity)
        }
    }

    @Test(.proves("T34")) func quickActionsAreListedAndPerformed() async throws {
        try await AppAgent.run { agent in
            let clowns = try await agent.process(of: AppAgent.clowns)
            try await clowns.set([ShortcutItem(type: "feed", localizedTitle: "Feed Crusty")])
            let list = agent.path + "/apps/\(AppAgent.clowns)/shortcutItems"
            let items: [ShortcutItem] = try await agent.control.get(list)
            #expect(items.map(\.type) == ["call", "feed"])
            let opened: OpenedScene = try await agent.control.post(list + "/feed/perform", bytes: [], headers: [])
            #expect(opened.activation.shortcutItem == items.last)
            let refused = await #expect(throws: CallError.self) {
                try await clowns.set([ShortcutItem(type: "call", localizedTitle: "Call")])
            }
            guard case .refused(400, let refusal) = refused else {
                _ = Issue.record("\(refused as Any)")
                return
            }
            #expect(refusal.code == "repeatedShortcutItem")
        }
    }

    @Test func requestOfAnAppActivatesTheSceneThatAcceptsIt() async throws {
        try await AppAgent.run { agent in
            let clowns = try await agent.process(of: AppAgent.clowns)
            try await clowns.set(Self.conditions, of: "crusty")
            let calls = try await agent.calls(of: AppAgent.clowns)
            let activity = UserActivity(activityType: "clown", targetContentIdentifier: Self.crusty)
            let decision: SceneDecision = try await calls.post("/v1/app/scenes", SceneRequest(activity: activity))
            #expect(decision.scene == "crusty")
            #expect(decision.reason == .prefers)
            // Without an activity, the scene is new, and there is nothing to decide.
            try await calls.send(.post, "/v1/app/scenes", body: SceneRequest())
            let app: AppDescription = try await calls.get("/v1/app")
            #expect(app.scenes.map(\.persistentIdentifier) == ["overview", "crusty", "new-scene-1"])
            // The tester's request is for a new scene, whatever the others accept.
            let created: OpenedScene = try await agent.control.post(
                agent.path + "/apps/\(AppAgent.clowns)/scenes",
                SceneRequest(activity: activity)
            )
            #expect(created.scene == "new-scene-2")
        }
    }

    @Test func processReceivesTheCustomURLThatOpenedIt() async throws {
        let url = "circus://clowns/crusty"
        try await AppAgent.run { agent in
            let circus: BundleIdentifier = "com.example.circus"
            let app = AppDescription(
                bundleIdentifier: circus,
                scenes: [SceneSession(persistentIdentifier: "ring", state: .disconnected)],
                urlSchemes: ["circus"]
            )
            try await agent.apply([.system(.appInstalled(app))])
            let opened = try await agent.client.openURL(url, on: AppAgent.device)
            #expect(opened.destination == .app)
            #expect(opened.opened?.cause == .customURL)
            let events = try await agent.process(of: circus).events { !$0.isEmpty }
            guard case .sceneConnected(let scene) = events.first else {
                _ = Issue.record("\(events)")
                return
            }
            #expect(scene.connectionOptions.map(\.url) == [url])
            let error = await #expect(throws: CallError.self) {
                _ = try await agent.client.openURL("tents://red", on: AppAgent.device)
            }
            guard case .refused(404, let refusal) = error else {
                _ = Issue.record("\(error as Any)")
                return
            }
            #expect(refusal.code == "unknownURLScheme")
            #expect(refusal.message.contains("the schemes of the apps are circus"))
        }
    }

    @Test func requestThatNoDeclarationMatchesIsRefused() async throws {
        try await AppAgent.run { agent in
            let circus: BundleIdentifier = "com.example.circus"
            let app = AppDescription(
                bundleIdentifier: circus,
                scenes: [],
                declarations: [SceneDeclaration(name: "tents", kind: .windowGroup, matching: ["/tents/"])]
            )
            try await agent.apply([.system(.appInstalled(app))])
            let calls = try await agent.calls(of: circus)
            let clown = SceneRequest(activity: UserActivity(activityType: "a", targetContentIdentifier: "/clowns/1"))
            let error = await #expect(throws: CallError.self) {
                try await calls.send(.post, "/v1/app/scenes", body: clown)
            }
            guard case .refused(409, let refusal) = error else {
                _ = Issue.record("\(error as Any)")
                return
            }
            #expect(refusal.code == "noDeclarationMatches")
            let tent = SceneRequest(activity: UserActivity(activityType: "a", targetContentIdentifier: "/tents/1"))
            let decision: SceneDecision = try await calls.post("/v1/app/scenes", tent)
            #expect(decision.declaration == "tents")
        }
    }

    @Test func processIsDetachedWhenItsDeviceIsRestored() async throws {
        try await AppAgent.run { agent in
            let clowns = try await agent.process(of: AppAgent.clowns)
            try await agent.apply([.system(.snapshotTaken("before")), .scene(.appOpened(AppAgent.clowns))])
            var told: [AppEvent] = []
            // The stream ends by itself; nothing here stops the reading.
            try await clowns.follow {
                try await agent.apply([.system(.deviceRestored(snapshot: "before"))])
            } handle: {
                told.append($0)
            }
            #expect(told.last == .detached(.restored))
            let apps: [AppStatus] = try await agent.control.get(agent.path + "/apps")
            #expect(apps.allSatisfy { !$0.isRunning && $0.activations == 0 })
            let again = try await clowns.events {
                try await agent.apply([.scene(.appOpened(AppAgent.clowns))])
            } until: {
                !$0.isEmpty
            }
            #expect(again.count == 1)
        }
    }

    @Test func scenesGoToTheBackgroundWhenTheUserTapsElsewhere() async throws {
        try await AppAgent.run { agent in
            try await agent.apply(AppAgent.scenario)
            let (tv, clowns) = (try await agent.process(of: AppAgent.tv), try await agent.process(of: AppAgent.clowns))
            let view = try await tv.attribution(AttributionRequest(url: AppAgent.url)).view
            try await agent.apply([.scene(.appOpened(AppAgent.clowns))])
            let events = try await clowns.events {
                try await agent.apply([.attribution(.attributionTapped(AppAgent.tv, view, "main"))])
            } until: { events in
                events.contains {
                    if case .sceneChanged(let change) = $0 { change.state == .background } else { false }
                }
            }
            #expect(!events.isEmpty)
        }
    }

    @Test func processThatDisconnectsIsNoLongerRunning() async throws {
        try await AppAgent.run { agent in
            let clowns = try await agent.process(of: AppAgent.clowns)
            try await agent.apply([.scene(.appOpened(AppAgent.clowns))])
            _ = try await clowns.events { !$0.isEmpty }
            // The time limit of the suite ends an endless wait.
            var apps: [AppStatus] = []
            repeat { apps = try await agent.control.get(agent.path + "/apps") } while apps.contains(where: \.isRunning)
        }
    }
}
