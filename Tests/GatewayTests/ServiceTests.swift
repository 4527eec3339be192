import Gateway
import GatewayClient
import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema

@Suite(.timeLimit(.minutes(5))) struct ServiceTests {
    @Test func healthReportsTheSchemaAndTheStore() async throws {
        try await RunningGateway.run { gateway in
            let health = try await gateway.service(.GET, "/health").decoded(as: Health.self)
            #expect(
                health
                    == Health(
                        schema: 1,
                        store: "memory",
                        version: ProgramVersion.current,
                        build: "debug",
                        courier: gateway.ready.courier,
                        providerPlaintext: gateway.ready.providerPlaintext,
                        openingSessions: 0,
                        endingSessions: 0
                    )
            )
        }
    }

    @Test func unknownPathGetsAJSONError() async throws {
        try await RunningGateway.run { gateway in
            let answer = try await gateway.service(.GET, "/v1/nothing")
            #expect(answer.status == 404)
            #expect(try answer.error.code == "notFound")
            #expect(try answer.error.message.contains("/v1/nothing"))
        }
    }

    @Test(arguments: [
        ("/health", "GET, HEAD"), ("/v1/devices", "GET, HEAD, POST"), ("/v1/batches", "POST"),
        ("/v1/batches/x", "GET, HEAD"),
    ])
    func unsupportedMethodGets405WithAllow(_ path: String, _ allowed: String) async throws {
        try await RunningGateway.run { gateway in
            let answer = try await gateway.service(.DELETE, path)
            #expect(answer.status == 405)
            #expect(try answer.error.code == "methodNotAllowed")
            #expect(answer.headers.first(name: "allow") == allowed)
        }
    }

    @Test func earlyRefusalReachesAClientThatClosesItsConnection() async throws {
        try await RunningGateway.run { gateway in
            let headers = [("connection", "close"), ("content-encoding", "br")]
            let body = [UInt8](repeating: 0x20, count: 20 << 20)
            let answer = try await gateway.service(.POST, "/v1/batches", headers: headers, body: body)
            #expect(answer.status == 415)
        }
    }

    @Test func waitEndsWhenTheNotificationExpires() async throws {
        let clock = MovingClock()
        var sources = GatewaySources.forTests()
        sources.now = clock.now
        try await RunningGateway.run(sources: sources) { gateway in
            let device = try await gateway.device()
            let soon = clock.now().seconds + 10
            let receipt = try await gateway.batch(Array(line(device.token, #""expiration":\#(soon),"#).utf8))
                .decoded(as: BatchReceipt.self)
            async let settled = gateway.service(.GET, "/v1/batches/\(receipt.id)?wait=settled&timeout=60s")
            clock.advance(seconds: 10)
            #expect(try await settled.decoded(as: BatchStatus.self).states == [.expired: 1])
        }
    }

    @Test func batchIsSettledOnceEverythingIsAcknowledged() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            let receipt = try await gateway.batch(Array((line(device.token) + line(device.token) + "x").utf8))
                .decoded(as: BatchReceipt.self)
            async let settled = gateway.service(.GET, "/v1/batches/\(receipt.id)?wait=settled&timeout=60s")
            let events = try await gateway.events(2, of: device)
            for event in events {
                _ = try await gateway.acknowledge(.sequences([try #require(Int(event.id))]), device)
            }
            let status = try await settled.decoded(as: BatchStatus.self)
            #expect(status.accepted == 2)
            #expect(status.rejected == 1)
            #expect(status.states == [.acknowledged: 2])
        }
    }

    @Test func waitThatTimesOutReturnsTheCurrentState() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            let receipt = try await gateway.batch(Array(line(device.token).utf8)).decoded(as: BatchReceipt.self)
            let status = try await gateway.service(.GET, "/v1/batches/\(receipt.id)?wait=settled&timeout=1ms")
                .decoded(as: BatchStatus.self)
            #expect(status.states == [.stored: 1])
        }
    }

    @Test(arguments: [
        ("", 404, "unknownBatch"), ("?wait=settled&timeout=1ms", 404, "unknownBatch"),
        ("?wait=delivered", 400, "badParameter"), ("?wait=settled&timeout=2", 400, "badParameter"),
        ("?wait=settled&timeout=61s", 400, "badParameter"), ("?wait=settled&timeout=-1s", 400, "badParameter"),
        ("?wait=settled&timeout=9999999999999999999999s", 400, "badParameter"),
    ])
    func badBatchQueriesAreRefused(_ query: String, _ status: UInt, _ code: String) async throws {
        try await RunningGateway.run { gateway in
            let answer = try await gateway.service(.GET, "/v1/batches/none\(query)")
            #expect(answer.status == status)
            #expect(try answer.error.code.rawValue == code)
        }
    }
}
