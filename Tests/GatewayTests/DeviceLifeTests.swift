import Gateway
import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema

@Suite(.timeLimit(.minutes(5))) struct DeviceLifeTests {
    /// The time of the test clock.
    static let now = Timestamp(milliseconds: 1_790_000_000_000)

    /// Sends one notification to `token` and returns its result.
    static func result(_ token: DeviceToken, _ gateway: RunningGateway) async throws -> ItemResult? {
        try await gateway.send(line(token), query: "?results=all").results.first
    }

    @Test(arguments: Engine.allCases) func deviceCanRegisterWithItsOwnToken(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device(token: "C0FFEE")
            #expect(device.token == "c0ffee")
            for spelling: DeviceToken in ["c0ffee", "C0FFEE", "c0FFee"] {
                #expect(try await Self.result(spelling, gateway)?.status == 200)
                let registeredDevice: RegisteredDevice = try await gateway.get("/v1/devices/\(spelling)")
                #expect(
                    registeredDevice
                        == RegisteredDevice(
                            token: "c0ffee",
                            name: "iPad",
                            topics: ["com.example.clowntown"],
                            since: Self.now
                        )
                )
            }
        }
    }

    @Test(arguments: ["", "c0ffe", "iPad", "c0 f", String(repeating: "ab", count: 101)])
    func malformedTokenIsRefused(_ token: String) async throws {
        try await RunningGateway.run { gateway in
            let answer = try await gateway.register(token: DeviceToken(rawValue: token))
            #expect(answer.status == 400)
            #expect(try answer.error.code == "malformedBody")
        }
    }

    @Test(arguments: Engine.allCases) func takenTokenIsAvailableAgainAfterItsDeviceIsUnregistered(
        _ engine: Engine
    ) async throws {
        try await engine.run { gateway in
            let first = try await gateway.device(token: "c0ffee")
            let refusal = try await gateway.register(token: "C0FFEE")
            #expect(refusal.status == 409)
            #expect(try refusal.error.code == "tokenTaken")
            #expect(try await gateway.service(.DELETE, "/v1/devices/c0ffee").status == 204)
            let second = try await gateway.device(token: "c0ffee")
            #expect(second.secret != first.secret)
            try await gateway.send(line("c0ffee"))
            var stream = try await gateway.stream(second)
            #expect(try await stream.next().map(\.token) == ["c0ffee"])
            #expect(try await gateway.inbox(of: DeviceCredential(token: "c0ffee", secret: second.secret)).count == 1)
        }
    }

    @Test(arguments: Engine.allCases) func registeringAgainChangesTopicsAndName(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device(topics: ["com.example.clowntown", "old"])
            let receipt = try await gateway.send(line(device.token) + line(device.token, topic: "old"))
            let again = DeviceRegistration(
                name: "New iPad",
                topics: ["com.example.clowntown", "new"],
                secret: device.secret,
                token: device.token
            )
            let answer = try await gateway.service(.POST, "/v1/devices", again)
            #expect(answer.status == 201)
            #expect(try answer.decoded(as: DeviceCredential.self) == device)
            #expect(try await gateway.status(of: receipt.id).states == [.stored: 1, .unregistered: 1])
            let registeredDevice: RegisteredDevice = try await gateway.get("/v1/devices/\(device.token)")
            #expect(registeredDevice.name == "New iPad")
            #expect(registeredDevice.topics == ["com.example.clowntown", "new"])
        }
    }

    @Test(arguments: Engine.allCases) func notificationToAnUnregisteredTokenGets410WithTheTime(
        _ engine: Engine
    ) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            let receipt = try await gateway.send(line(device.token))
            for _ in 0..<2 {
                #expect(try await gateway.service(.DELETE, "/v1/devices/\(device.token)").status == 204)
            }
            #expect(try await gateway.settledStatus(of: receipt.id).states == [.unregistered: 1])
            let result = try #require(try await Self.result(device.token, gateway))
            #expect(result.status == 410)
            #expect(result.reason == .unregistered)
            #expect(result.field == "token")
            #expect(result.timestamp == Self.now)
            let registeredDevice: RegisteredDevice = try await gateway.get("/v1/devices/\(device.token)")
            #expect(registeredDevice.standing == .unregistered)
        }
    }

    struct Standing: CustomTestStringConvertible, Sendable {
        var change: TokenStandingChange
        var status: Int
        var reason: RejectionReason?
        var timestamp: Timestamp?
        var testDescription: String { change.standing.rawValue + (change.since.map { " since \($0.rawValue)" } ?? "") }
    }

    static let standings = [
        Standing(change: .init(standing: .unregistered), status: 410, reason: .unregistered, timestamp: now),
        Standing(
            change: .init(standing: .unregistered, since: .init(milliseconds: 7)),
            status: 410,
            reason: .unregistered,
            timestamp: .init(milliseconds: 7)
        ),
        Standing(
            change: .init(standing: .expired, since: .init(milliseconds: 5)),
            status: 410,
            reason: .expiredToken,
            timestamp: .init(milliseconds: 5)
        ),
        Standing(change: .init(standing: .wrongEnvironment), status: 400, reason: .badDeviceToken),
        Standing(change: .init(standing: .active), status: 200),
    ]

    @Test(arguments: Engine.allCases, standings)
    func tokenStandingDeterminesTheAnswerToSenders(_ engine: Engine, _ example: Standing) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            let receipt = try await gateway.send(line(device.token))
            let path = "/v1/devices/\(device.token)/standing"
            let registeredDevice = try await gateway.service(.PUT, path, example.change)
                .decoded(as: RegisteredDevice.self)
            #expect(registeredDevice.standing == example.change.standing)
            #expect(registeredDevice.since == example.change.since ?? Self.now)
            let result = try #require(try await Self.result(device.token, gateway))
            #expect(result.status == example.status)
            #expect(result.reason == example.reason)
            #expect(result.timestamp == example.timestamp)
            let isActive = example.change.standing == .active
            #expect(try await gateway.status(of: receipt.id).states == (isActive ? [.stored: 1] : [.unregistered: 1]))
            _ = try await gateway.service(.PUT, path, TokenStandingChange(standing: .active))
            #expect(try await Self.result(device.token, gateway)?.status == 200)
        }
    }

    /// APNs accepts notifications for a deleted app until it knows of the deletion.
    @Test(arguments: Engine.allCases) func tokenCanBeUnregisteredFromALaterTimeOn(_ engine: Engine) async throws {
        try await engine.run(.forTests.withManualClock) { gateway in
            let device = try await gateway.device()
            let since = Timestamp(milliseconds: Self.now.rawValue + 60_000)
            let change = TokenStandingChange(standing: .unregistered, since: since)
            let changed = try await gateway.service(.PUT, "/v1/devices/\(device.token)/standing", change)
                .decoded(as: RegisteredDevice.self)
            #expect(changed.standing == .unregistered)
            #expect(changed.since == since)
            try await ManualClockTests.advance(gateway, ClockAdvance(by: 59_999))
            let receipt = try await gateway.send(line(1, device.token))
            #expect(receipt.accepted == 1)
            #expect(try await gateway.settledStatus(of: receipt.id).states == [.dropped: 1])
            #expect(try await gateway.notification(.numbered(1)).state == .dropped)
            // A registration by the agent, for example because its power is low, changes nothing about that.
            #expect(try await gateway.register(secret: device.secret, token: device.token).status == 201)
            try await ManualClockTests.advance(gateway, ClockAdvance(by: 1))
            let result = try #require(try await Self.result(device.token, gateway))
            #expect(result.reason == .unregistered)
            #expect(result.timestamp == since)
        }
    }

    @Test func unregisteringNowEndsTheDelay() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            let change = TokenStandingChange(
                standing: .unregistered,
                since: Timestamp(milliseconds: Self.now.rawValue + 60_000)
            )
            _ = try await gateway.service(.PUT, "/v1/devices/\(device.token)/standing", change)
            #expect(try await Self.result(device.token, gateway)?.status == 200)
            #expect(try await gateway.service(.DELETE, "/v1/devices/\(device.token)").status == 204)
            #expect(try await Self.result(device.token, gateway)?.timestamp == Self.now)
        }
    }

    /// Its inbox stays until the time, and also after it, until the token is unregistered again.
    @Test(arguments: Engine.allCases) func unregisteringAfterTheDelayEmptiesTheInbox(_ engine: Engine) async throws {
        try await engine.run(.forTests.withManualClock) { gateway in
            let device = try await gateway.device()
            let path = "/v1/devices/\(device.token)"
            let receipt = try await gateway.send(line(device.token))
            let since = Timestamp(milliseconds: Self.now.rawValue + 60_000)
            let change = TokenStandingChange(standing: .unregistered, since: since)
            #expect(try await gateway.service(.PUT, path + "/standing", change).status == 200)
            try await ManualClockTests.advance(gateway, ClockAdvance(by: 60_001))
            #expect(try await gateway.status(of: receipt.id).states == [.stored: 1])
            for _ in 0..<2 {
                #expect(try await gateway.service(.DELETE, path).status == 204)
                #expect(try await gateway.settledStatus(of: receipt.id).states == [.unregistered: 1])
                let registered: RegisteredDevice = try await gateway.get(path)
                #expect(registered.since == since)
            }
        }
    }

    @Test(arguments: Engine.allCases, ["c0ffee", nil]) func storedNotificationsMoveToANewToken(
        _ engine: Engine,
        _ token: String?
    ) async throws {
        try await engine.run { gateway in
            let old = try await gateway.device()
            let receipt = try await gateway.send(line(old.token) + line(old.token))
            let rotation = TokenRotation(token: token.map(DeviceToken.init(rawValue:)))
            let registeredDevice = try await gateway.service(.POST, "/v1/devices/\(old.token)/rotation", rotation)
                .decoded(as: RegisteredDevice.self)
            #expect(registeredDevice.token != old.token)
            #expect(token == nil || registeredDevice.token.rawValue == token)
            #expect(registeredDevice.standing == .active)
            #expect(registeredDevice.topics == ["com.example.clowntown"])
            let result = try #require(try await Self.result(old.token, gateway))
            #expect(result.status == 410)
            #expect(result.reason == .unregistered)
            #expect(result.timestamp == Self.now)
            let new = DeviceCredential(token: registeredDevice.token, secret: old.secret)
            #expect(try await gateway.inbox(of: new).map(\.token) == [new.token, new.token])
            #expect(try await gateway.status(of: receipt.id).accepted == 2)
        }
    }

    @Test(arguments: [("c0ffee", 409, "tokenTaken"), ("C0FFEE", 409, "tokenTaken"), ("x", 400, "malformedBody")])
    func rotationToATakenOrMalformedTokenIsRefused(_ token: String, _ status: UInt, _ code: String) async throws {
        try await RunningGateway.run { gateway in
            _ = try await gateway.device(token: "c0ffee")
            let device = try await gateway.device()
            let rotation = TokenRotation(token: DeviceToken(rawValue: token))
            let answer = try await gateway.service(.POST, "/v1/devices/\(device.token)/rotation", rotation)
            #expect(answer.status == status)
            #expect(try answer.error.code.rawValue == code)
        }
    }

    @Test(arguments: Engine.allCases) func deviceAcceptsOnlyNotificationsForItsTopics(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device(topics: ["com.example.clowntown", "old"])
            let receipt = try await gateway.send(line(device.token) + line(device.token, topic: "old"))
            let topics = DeviceTopics(topics: ["new", "com.example.clowntown"])
            let registeredDevice = try await gateway.service(.PUT, "/v1/devices/\(device.token)/topics", topics)
                .decoded(as: RegisteredDevice.self)
            #expect(registeredDevice.topics == ["com.example.clowntown", "new"])
            #expect(try await gateway.status(of: receipt.id).states == [.stored: 1, .unregistered: 1])
            let results = try await gateway.send(
                line(device.token, topic: "old") + line(device.token, topic: "new"),
                query: "?results=all"
            ).results
            #expect(results.map(\.reason) == [.deviceTokenNotForTopic, nil])
        }
    }

    struct Operation: CustomTestStringConvertible, Sendable {
        var method: NIOHTTP1.HTTPMethod
        var path = ""
        var body = ""
        var testDescription: String { "\(method.rawValue) \(path)" }
    }

    static let operations = [
        Operation(method: .GET), Operation(method: .DELETE),
        Operation(method: .PUT, path: "/topics", body: #"{"topics":[]}"#),
        Operation(method: .PUT, path: "/power", body: #"{"constrained":true}"#),
        Operation(method: .PUT, path: "/standing", body: #"{"standing":"active"}"#),
        Operation(method: .POST, path: "/rotation", body: "{}"),
    ]

    @Test(arguments: Engine.allCases, operations) func deviceOfAnotherNamespaceIsUnknown(
        _ engine: Engine,
        _ operation: Operation
    ) async throws {
        try await engine.run { gateway in
            let token = try await gateway.device(in: "other").token
            let path = "/v1/devices/\(token)" + operation.path
            let answer = try await gateway.service(operation.method, path, body: Array(operation.body.utf8))
            #expect(answer.status == 404)
            #expect(try answer.error.code == "unknownDevice")
            let headers = RunningGateway.headers("other")
            let response = try await gateway.service(
                operation.method,
                path,
                headers: headers,
                body: Array(operation.body.utf8)
            )
            #expect((200..<300).contains(response.status))
        }
    }

    @Test(arguments: operations.filter { !$0.body.isEmpty && $0.body != "{}" })
    func bodyOfTheWrongShapeIsRefused(_ operation: Operation) async throws {
        try await RunningGateway.run { gateway in
            let token = try await gateway.device().token
            for body in ["", "{}", "[]", #"{"topics":1,"constrained":"yes","standing":"sleepy"}"#] {
                let path = "/v1/devices/\(token)" + operation.path
                let answer = try await gateway.service(operation.method, path, body: Array(body.utf8))
                #expect(answer.status == 400)
                #expect(try answer.error.code == "malformedBody")
            }
        }
    }
}
