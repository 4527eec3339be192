import GatewayStore
import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct NamespaceTests {
    @Test(arguments: Engine.allCases) func sameTokenInTwoNamespacesIsTwoDevices(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let one = try await gateway.device(token: "c0ffee", in: "one")
            let two = try await gateway.device(token: "c0ffee", topics: ["com.example.queue"], in: "two")
            #expect(one.secret != two.secret)
            let receipt = try await gateway.send(line("c0ffee"), in: "one")
            #expect(receipt.accepted == 1)
            #expect(
                try await gateway.send(line("c0ffee"), in: "two").results.map(\.reason) == [.deviceTokenNotForTopic]
            )
            #expect(try await gateway.send(line("c0ffee")).results.map(\.reason) == [.badDeviceToken])
            let inOther = try await gateway.service(
                .GET,
                "/v1/batches/\(receipt.id)",
                headers: RunningGateway.headers("two")
            )
            #expect(inOther.status == 404)
            #expect(try inOther.error.code == "unknownBatch")
            #expect(try await gateway.status(of: receipt.id, in: "one").states == [.stored: 1])
            // The secret identifies which of the two devices is meant.
            #expect(try await gateway.inbox(of: one, in: "one").count == 1)
            #expect(try await gateway.inbox(of: two, markedWith: "com.example.queue", in: "two").isEmpty)
        }
    }

    @Test(arguments: Engine.allCases) func agentCanBeJoinedOnlyInItsNamespace(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device(in: "one")
            let answer = try await gateway.register(secret: device.secret, in: "two")
            #expect(answer.status == 404)
            #expect(try answer.error.code == "unknownSecret")
        }
    }

    @Test(arguments: Engine.allCases) func resetDeletesItsNamespaceAndEndsItsStreams(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let gone = try await gateway.device(token: "c0ffee", in: "run")
            let kept = try await gateway.device(token: "c0ffee")
            let receipts = (
                try await gateway.send(line("c0ffee"), in: "run"), try await gateway.send(line("c0ffee"))
            )
            var stream = try await gateway.stream(gone)
            #expect(try await stream.next().count == 1)
            let namespaces: [NamespaceSummary] = try await gateway.get("/v1/namespaces")
            let oldest = GatewaySources.forTests().now()
            #expect(
                namespaces == [
                    NamespaceSummary(name: .standard, devices: 1, stored: 1, oldest: oldest),
                    NamespaceSummary(name: "run", devices: 1, stored: 1, oldest: oldest),
                ]
            )
            #expect(try await gateway.service(.DELETE, "/v1/namespaces/run").status == 204)
            // The gateway ends the stream.
            #expect(try await stream.next().isEmpty)
            #expect(try await gateway.get("/v1/namespaces", as: [NamespaceSummary].self).map(\.name) == [.standard])
            let lost = try await gateway.service(
                .GET,
                "/v1/batches/\(receipts.0.id)",
                headers: RunningGateway.headers("run")
            )
            #expect(try lost.error.code == "unknownBatch")
            let events = try await gateway.courier(
                .GET,
                "/v1/events",
                headers: [("authorization", "Bearer \(gone.secret.rawValue)")]
            )
            #expect(events.status == 401)
            #expect(try await gateway.status(of: receipts.1.id).states == [.stored: 1])
            #expect(try await gateway.inbox(of: kept).count == 1)
            // The gateway does not reuse earlier sequences and agents.
            let again = try await gateway.device(token: "c0ffee", in: "run")
            #expect(try await gateway.inbox(of: again, in: "run").isEmpty)
        }
    }

    /// The gateway may handle a request of a device after a test has deleted the device's namespace.
    @Test(
        arguments: [
            (.GET, "notifications", nil), (.GET, "notifications?after=0", nil), (.GET, "notifications/1", nil),
            (.GET, "notifications/1/payload", nil), (.GET, "batches/1", nil), (.GET, "devices", nil),
            (.GET, "devices/c0ffee", nil), (.GET, "devices/c0ffee/inbox", nil), (.GET, "apps", nil),
            (.GET, "streams", nil), (.GET, "sender", nil), (.GET, "faults", nil), (.GET, "keys", nil),
            (.GET, "channels?topic=com.example.clowntown", nil), (.GET, "clock?follower=a&after=1&timeout=0s", nil),
            (.PUT, "devices/c0ffee/power", #"{"constrained":true}"#),
            (.PUT, "devices/c0ffee/standing", #"{"standing":"unregistered"}"#),
            (.PUT, "devices/c0ffee/topics", #"{"topics":[]}"#), (.PUT, "devices/c0ffee/channels", #"{"channels":[]}"#),
            (.POST, "devices/c0ffee/rotation", "{}"), (.DELETE, "devices/c0ffee", nil),
            (.DELETE, "devices/c0ffee/inbox", nil), (.DELETE, "faults", nil), (.DELETE, "keys/AB12CD34EF", nil),
            (.GET, "sender/requests", nil), (.GET, "key-uses", nil), (.GET, "devices/c0ffee/channels", nil),
            (.POST, "devices", #"{"name":"iPad","topics":[],"secret":"c0ffee"}"#),
            (.POST, "batches?atomic=true", #"{"token":"c0ffee","payload":{"aps":{}}}"#),
            (.POST, "batches", #"{"token":"c0ffee","topic":"com.example.clowntown","payload":{"aps":{}}}"#),
            (.POST, "batches?results=all", "{}"),
        ] as [(HTTPMethod, String, String?)]
    )
    func requestDoesNotCreateADeletedNamespace(method: HTTPMethod, path: String, body: String?) async throws {
        try await RunningGateway.run(.forTests.withManualClock) { gateway in
            let answer = try await gateway.service(
                method,
                "/v1/\(path)",
                headers: RunningGateway.headers("run"),
                body: [UInt8]((body ?? "").utf8)
            )
            #expect(answer.status < 500)
            #expect(answer.status != 400)
            if answer.status == 404 { #expect(try answer.error.code != "notFound", "no such path") }
            #expect(try await gateway.get("/v1/namespaces", as: [NamespaceSummary].self).isEmpty)
        }
    }

    @Test(arguments: Engine.allCases)
    func batchWithoutAValidItemIsAnsweredAndCreatesNoNamespace(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let items = line("c0ffee") + "{}\n"
            let receipt = try await gateway.send(items, in: "run")
            #expect(receipt.accepted == 0)
            #expect(receipt.rejected == 2)
            #expect(receipt.results.map(\.reason) == [.badDeviceToken, .missingDeviceToken])
            let lost = try await gateway.service(
                .GET,
                "/v1/batches/\(receipt.id)",
                headers: RunningGateway.headers("run")
            )
            #expect(try lost.error.code == "unknownBatch")
            let pending = try await gateway.batch(
                Array(items.utf8),
                headers: RunningGateway.headers("run") + [("prefer", "respond-async")]
            )
            #expect(pending.status == 202)
            let status: BatchStatus = try pending.decoded()
            let settled: BatchStatus = try await gateway.get(
                "/v1/batches/\(status.id)?wait=settled&timeout=30s",
                in: "run"
            )
            #expect(settled.phase == .refused)
            #expect(settled.error?.code == "batchRefused")
            #expect(settled.results?.map(\.reason) == [.badDeviceToken, .missingDeviceToken])
            #expect(try await gateway.get("/v1/namespaces", as: [NamespaceSummary].self).isEmpty)
            // The standard namespace has its log from the first request on.
            #expect(try await gateway.send(items).rejected == 2)
            #expect(try await gateway.get("/v1/namespaces", as: [NamespaceSummary].self).map(\.name) == [.standard])
        }
    }

    /// A stream may end after its namespace was deleted.
    @Test func timeOfADeletedNamespaceDoesNotCreateItAgain() async throws {
        let store = try SQLiteStore.inMemory()
        let clocks = NamespaceClocks(.manual, store: store, sources: .forTests())
        let now = GatewaySources.forTests().now()
        #expect(try await clocks.now(in: "run") == now)
        await clocks.start("run", at: now)
        #expect(try await store.namespaces().isEmpty)
        #expect(try await clocks.startedNow(in: "run") == now)
        #expect(try await store.namespaces().map(\.name) == ["run"])
    }

    @Test func resetOfAnUnknownNamespaceSucceeds() async throws {
        try await RunningGateway.run { gateway in
            let answer = try await gateway.service(.DELETE, "/v1/namespaces/nothing")
            #expect(answer.status == 204)
            #expect(try await gateway.get("/v1/namespaces", as: [NamespaceSummary].self).isEmpty)
        }
    }

    @Test(
        arguments: [
            ("a", 200), ("Run-42_b.c", 200), (String(repeating: "x", count: 64), 200),
            (String(repeating: "x", count: 65), 400), (".a", 400), ("a b", 400), ("a/b", 400), ("é", 400),
        ] as [(String, UInt)]
    )
    func namespaceHas1To64PlainCharacters(_ name: String, _ status: UInt) async throws {
        try await RunningGateway.run { gateway in
            let answer = try await gateway.service(.GET, "/v1/apps", headers: [("x-waypost-namespace", name)])
            #expect(answer.status == status)
            if status == 400 { #expect(try answer.error.code == "badParameter") }
        }
    }

    @Test(arguments: ["a%20b", "%C3%A9", "a%2Fb", String(repeating: "x", count: 65)])
    func resetOfAnInvalidNamespaceIsRefused(_ name: String) async throws {
        try await RunningGateway.run { gateway in
            let answer = try await gateway.service(.DELETE, "/v1/namespaces/\(name)")
            #expect(answer.status == 400)
            #expect(try answer.error.code == "badParameter")
        }
    }
}
