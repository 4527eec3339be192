import AsyncHTTPClient
import Deflate
import GatewayTestSupport
import NIOCore
import NIOHTTP1
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct IntakeBudgetTests {
    static func limits(batches: Int = 10, bytes: Int = 100) -> IntakeLimits {
        var limits = IntakeLimits()
        limits.batches = batches
        limits.bytes = bytes
        return limits
    }

    @Test func concurrentBatchesAreLimited() throws {
        var budget = IntakeBudget(Self.limits(batches: 2))
        try budget.admit()
        try budget.admit()
        #expect(throws: GatewayError.tooManyRequests(limit: 2)) { try budget.admit() }
        #expect(budget.batches == 2)
        budget.release(bytes: 0)
        try budget.admit()
    }

    @Test func bytesOfAllBatchesAreLimitedTogether() throws {
        var budget = IntakeBudget(Self.limits(bytes: 100))
        try budget.admit()
        try budget.grow(by: 60)
        try budget.grow(by: 40)
        #expect(throws: GatewayError.overloaded) { try budget.grow(by: 1) }
        #expect(budget.bytes == 100)
        budget.release(bytes: 60)
        #expect(budget.bytes == 40)
        #expect(budget.batches == 0)
    }

    @Test func reservationIsReleasedWithItsLastReference() throws {
        let limiter = IntakeLimiter(Self.limits(batches: 1, bytes: 100))
        do {
            let reservation = try limiter.admit()
            try reservation.reserve(upTo: 100)
            #expect(throws: GatewayError.tooManyRequests(limit: 1)) { _ = try limiter.admit() }
            withExtendedLifetime(reservation) {}
        }
        let reservation = try limiter.admit()
        try reservation.reserve(upTo: 100)
    }

    @Test func reservationGrowsToTheSizeOfItsBatch() throws {
        let limiter = IntakeLimiter(Self.limits(bytes: 100))
        let (first, second) = (try limiter.admit(), try limiter.admit())
        try first.reserve(upTo: 40)
        try first.reserve(upTo: 60)
        try first.reserve(upTo: 50)
        #expect(throws: GatewayError.overloaded) { try second.reserve(upTo: 41) }
        // The refused reservation did not reserve any bytes.
        try second.reserve(upTo: 40)
        withExtendedLifetime(first) {}
    }

    @Test func reservationShrinksToWhatIsStillInUse() throws {
        let limiter = IntakeLimiter(Self.limits(bytes: 100))
        let reservation = try limiter.admit()
        try reservation.reserve(upTo: 100)
        reservation.shrink(to: 30)
        #expect(limiter.usage.bytes == 30)
        reservation.shrink(to: 60)
        #expect(limiter.usage.bytes == 30)
        #expect(limiter.usage.batches == 1)
        withExtendedLifetime(reservation) {}
    }

    @Test func reservationForSomethingElseIsNoBatch() throws {
        let limiter = IntakeLimiter(Self.limits(batches: 0, bytes: 100))
        do {
            let reservation = limiter.makeReservation()
            try reservation.reserve(upTo: 75)
            #expect(limiter.usage.batches == 0)
            #expect(limiter.usage.bytes == 75)
            // A quarter is for batches alone.
            #expect(throws: GatewayError.overloaded) { try reservation.reserve(upTo: 76) }
            withExtendedLifetime(reservation) {}
        }
        #expect(limiter.usage.batches == 0)
        #expect(limiter.usage.bytes == 0)
    }

    @Test func burstEndsOnceWhenMostOfItsMemoryIsFree() throws {
        var budget = IntakeBudget(Self.limits(bytes: 1 << 30))
        try budget.admit()
        try budget.admit()
        try budget.grow(by: IntakeBudget.minimumBurst)
        let isOverAtOnce = budget.takeBurstEnd()
        #expect(!isOverAtOnce)
        budget.release(bytes: IntakeBudget.minimumBurst)
        let isOver = budget.takeBurstEnd()
        let isOverAgain = budget.takeBurstEnd()
        #expect(isOver && !isOverAgain)
        try budget.grow(by: IntakeBudget.minimumBurst - 1)
        budget.release(bytes: IntakeBudget.minimumBurst - 1)
        let isSmallBurst = budget.takeBurstEnd()
        #expect(!isSmallBurst)
    }

    /// Memory in MiB, and what batches and streams may use of it, in MiB.
    @Test(arguments: [(256, 48, 24), (1_024, 432, 216), (4_096, 1_536, 512), (100, 16, 8), (1 << 20, 1_536, 512)])
    func batchesGetHalfOfWhatTheProgramLeavesAndStreamsAQuarter(memory: Int, batches: Int, streams: Int) {
        let configuration = GatewayConfiguration().limited(to: memory << 20)
        #expect(configuration.intakeLimits.bytes == batches << 20)
        #expect(configuration.sessionLimits.memory == streams << 20)
        #expect(configuration.batchLimits.inflation.maximumOutput == min(256, batches / 4) << 20)
        #expect(configuration.batchLimits.bodySize <= configuration.batchLimits.inflation.maximumOutput)
        // A body that is accepted fits if it is alone.
        let (body, items) = (configuration.batchLimits.inflation.maximumOutput, configuration.batchLimits.items)
        #expect(BatchFootprint.bytes(body: body, items: items) <= configuration.intakeLimits.bytes)
        #expect(items == min(100_000, 256 * batches))
    }

    @Test func itemsNeedMemoryToo() async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.intakeLimits = Self.limits(bytes: 1 << 20)
        try await RunningGateway.run(configuration) { gateway in
            // 2,000 refused items of 3 bytes.
            let answer = try await gateway.batch(Array(String(repeating: "{}\n", count: 2_000).utf8))
            #expect(answer.status == 503)
            #expect(try answer.error.code == "overloaded")
        }
    }

    /// The client was told that the batch is stored later, so it cannot be refused for its memory.
    @Test func answeredBatchIsStoredAlthoughTheMemoryIsInUse() async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.intakeLimits = Self.limits(bytes: 64 << 10)
        try await RunningGateway.run(configuration) { gateway in
            let token = try await gateway.device().token
            let body = Array(String(repeating: AsynchronousBatchTests.brief(token), count: 100).utf8)
            #expect(try await gateway.batch(body).status == 503)
            let answer = try await gateway.batch(body, headers: AsynchronousBatchTests.headers)
            #expect(answer.status == 202)
            let status = try await gateway.settledStatus(of: answer.decoded(as: BatchStatus.self).id)
            #expect(status.phase == .committed && status.accepted == 100)
        }
    }

    /// A small body needs no room, so the calls of operators are carried out.
    @Test(arguments: [(BodyFootprint.freeSize, UInt(200)), (BodyFootprint.freeSize + 1, UInt(503))])
    func largeBodyOfAnotherCallNeedsMemory(_ size: Int, _ status: UInt) async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.intakeLimits = Self.limits(bytes: 100)
        try await RunningGateway.run(configuration) { gateway in
            let device = try await gateway.device()
            let payload = "{}" + String(repeating: " ", count: size - 2)
            let report = try await gateway.service(.POST, "/v1/payloads/check", body: Array(payload.utf8))
            let word = #"{"upTo":1}"#
            let receipt = try await gateway.courier(
                .POST,
                "/v1/acks",
                headers: [("authorization", "Bearer \(device.secret.rawValue)")],
                body: Array((word + String(repeating: " ", count: size - word.utf8.count)).utf8)
            )
            for answer in [report, receipt] {
                #expect(answer.status == status)
                guard status == 503 else { continue }
                #expect(try answer.error.code == "overloaded")
                #expect(answer.headers.first(name: "retry-after") == "1")
            }
            #expect(try await gateway.service(.GET, "/health").status == 200)
            #expect(try await gateway.scrape().value("waypost_intake_bytes") == 0)
        }
    }

    @Test func answerThatIsNotReadKeepsItsMemory() async throws {
        let itemCount = 60_000
        try await RunningGateway.run { gateway in
            let body = String(repeating: "{}\n", count: itemCount)
            let head = "POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
            do {
                let port = try RawConnection.port(of: gateway.ready.service)
                let client = try RawSocket(port: port, receiveBuffer: 4_096)
                await client.send(Array((head + body).utf8))
                let bytes = Double(BatchFootprint.bytes(body: 0, items: itemCount))
                try await waitUntil("only the results are in memory") {
                    try await gateway.scrape().value("waypost_intake_bytes") == bytes
                }
                #expect(try await gateway.scrape().value("waypost_intake_batches") == 1)
                withExtendedLifetime(client) {}
            }
            try await waitUntil("the client has left") {
                try await gateway.scrape().value("waypost_intake_bytes") == 0
            }
        }
    }

    /// Six devices whose list has more than 64 KiB.
    @Test func longListNeedsMemory() async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.intakeLimits = Self.limits(bytes: 100)
        try await RunningGateway.run(configuration) { gateway in
            for device in 0..<6 {
                let topics = (0..<60).map { number in
                    Topic(rawValue: "com.example.\(device).\(number)." + String(repeating: "x", count: 200))
                }
                _ = try await gateway.device(topics: topics)
            }
            let answers = [
                "/v1/devices", "/v1/devices?limit=1000", "/v1/notifications?limit=1000", "/v1/streams?limit=1000",
            ]
            for path in answers {
                let answer = try await gateway.service(.GET, path)
                #expect(answer.status == 503, "\(path)")
                #expect(try answer.error.code == "overloaded", "\(path)")
                #expect(answer.headers.first(name: "retry-after") == "1", "\(path)")
            }
            for path in ["/v1/devices?limit=1", "/v1/notifications", "/v1/streams", "/health"] {
                #expect(try await gateway.service(.GET, path).status == 200, "\(path)")
            }
            #expect(try await gateway.scrape().value("waypost_intake_bytes") == 0)
        }
    }

    @Test func listThatIsNotReadKeepsItsMemory() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device(topics: [.messages])
            let payload = #"{"x":"\#(String(repeating: "x", count: 60_000))"}"#
            try await gateway.send(
                String(repeating: line(device.token, topic: .messages, payload: payload), count: 40)
            )
            let path = "/v1/devices/\(device.token)/inbox"
            let page = try await gateway.service(.GET, path)
            #expect(page.status == 200)
            do {
                let port = try RawConnection.port(of: gateway.ready.service)
                let client = try RawSocket(port: port, receiveBuffer: 4_096)
                // The system's buffers do not hold several answers.
                let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
                client.send(String(repeating: request, count: 10))
                try await waitUntil("only the text of one answer is in memory") {
                    try await gateway.scrape().value("waypost_intake_bytes") == Double(page.body.count)
                }
                withExtendedLifetime(client) {}
            }
            try await waitUntil("the client has left") {
                try await gateway.scrape().value("waypost_intake_bytes") == 0
            }
        }
    }

    @Test func resultsOfAStatusNeedMemory() async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.intakeLimits = Self.limits(bytes: 64 << 10)
        try await RunningGateway.run(configuration) { gateway in
            let body = Array(String(repeating: "{}\n", count: 100).utf8)
            let answer = try await gateway.batch(body, headers: AsynchronousBatchTests.headers)
            let id = try answer.decoded(as: BatchStatus.self).id
            try await waitUntil("the results need more memory than there is") {
                try await gateway.service(.GET, "/v1/batches/\(id)").status == 503
            }
        }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var limits: IntakeLimits
        var status: UInt
        var code: APIError.Code
        var testDescription: String { code.rawValue }
    }

    @Test(arguments: [
        Case(limits: limits(batches: 0), status: 429, code: "tooManyRequests"),
        Case(limits: limits(bytes: 10), status: 503, code: "overloaded"),
    ])
    func batchBeyondTheLimitsGetsRetryAfter(_ example: Case) async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.intakeLimits = example.limits
        try await RunningGateway.run(configuration) { gateway in
            let answer = try await gateway.batch(Array(line("00").utf8))
            #expect(answer.status == example.status)
            #expect(try answer.error.code == example.code)
            #expect(answer.headers.first(name: "retry-after") == "1")
        }
    }

    @Test func batchHoldsItsPlaceUntilItsBodyIsComplete() async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.intakeLimits = Self.limits(batches: 1, bytes: 1 << 20)
        try await RunningGateway.run(configuration) { gateway in
            let token = try await gateway.device().token
            let (pieces, body) = AsyncStream.makeStream(of: ByteBuffer.self)
            body.yield(ByteBuffer(string: line(token)))
            var slow = HTTPClientRequest(url: gateway.ready.service + "/v1/batches")
            slow.method = .POST
            slow.body = .stream(pieces, length: .unknown)
            async let answer = gateway.http.execute(slow, timeout: .seconds(60))
            // Without this wait, the next batch could take the only place first.
            try await waitUntil("the batch has begun") {
                try await gateway.scrape().value("waypost_intake_batches") == 1
            }
            #expect(try await gateway.batch(Array(line(token).utf8)).status == 429)
            body.finish()
            #expect(try await answer.status == .ok)
            #expect(try await gateway.batch(Array(line(token).utf8)).status == 200)
        }
    }
}
