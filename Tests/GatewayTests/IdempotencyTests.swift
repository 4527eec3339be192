import GatewayStore
import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct IdempotencyTests {
    static func headers(_ key: String, in namespace: Namespace? = nil) -> [(String, String)] {
        [("idempotency-key", key)] + RunningGateway.headers(namespace)
    }

    static func isReplay(_ answer: Exchange) -> Bool {
        answer.headers.first(name: "idempotency-replayed") == "true"
    }

    @Test(
        arguments: Engine.allCases,
        [("", ""), ("?results=all", "?results=all"), ("", "?results=all"), ("?results=all", "")]
    )
    func repeatedBatchGetsTheFirstAnswer(
        _ engine: Engine,
        _ queries: (first: String, second: String)
    ) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            let body = Array((line(device.token) + "nonsense\n" + line("00ff") + line(device.token)).utf8)
            let first = try await gateway.batch(body, query: queries.first, headers: Self.headers("k"))
            let second = try await gateway.batch(body, query: queries.second, headers: Self.headers("k"))
            #expect(!Self.isReplay(first))
            #expect(Self.isReplay(second))
            #expect(second.status == 200)
            let receipts = (try first.decoded(as: BatchReceipt.self), try second.decoded(as: BatchReceipt.self))
            #expect(receipts.1.id == receipts.0.id)
            #expect(receipts.1.accepted == 2)
            #expect(receipts.1.rejected == 2)
            #expect(receipts.1.durability == receipts.0.durability)
            #expect(receipts.1.results.rejected == receipts.0.results.rejected)
            #expect(receipts.1.results.map(\.index) == (queries.second.isEmpty ? [1, 2] : [0, 1, 2, 3]))
            if queries.first == queries.second { #expect(second.body == first.body) }
            #expect(try await gateway.inbox(of: device).count == 2)
        }
    }

    @Test(arguments: Engine.allCases, [("x", ""), ("", "?atomic=true")])
    func differentRequestWithTheSameKeyIsAConflict(
        _ engine: Engine,
        _ other: (body: String, query: String)
    ) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            let body = line(device.token)
            _ = try await gateway.batch(Array(body.utf8), headers: Self.headers("k"))
            let answer = try await gateway.batch(
                Array((body + other.body).utf8),
                query: other.query,
                headers: Self.headers("k")
            )
            #expect(answer.status == 409)
            #expect(try answer.error.code == "idempotencyConflict")
            #expect(try await gateway.inbox(of: device).count == 1)
        }
    }

    @Test(arguments: Engine.allCases) func keyIsRememberedFor24Hours(_ engine: Engine) async throws {
        try await engine.run(.forTests.withManualClock) { gateway in
            let body = Array(line(try await gateway.device().token).utf8)
            let first = try await gateway.batch(body, headers: Self.headers("k")).decoded(as: BatchReceipt.self)
            let day = 24 * 60 * 60 * 1_000
            _ = try await gateway.service(.POST, "/v1/clock/advance", ClockAdvance(by: day - 1))
            let within = try await gateway.batch(body, headers: Self.headers("k"))
            #expect(Self.isReplay(within))
            #expect(try within.decoded(as: BatchReceipt.self).id == first.id)
            _ = try await gateway.service(.POST, "/v1/clock/advance", ClockAdvance(by: 1))
            let after = try await gateway.batch(body, headers: Self.headers("k"))
            #expect(!Self.isReplay(after))
            #expect(try after.decoded(as: BatchReceipt.self).id != first.id)
        }
    }

    @Test(arguments: Engine.allCases) func keyBelongsToItsNamespace(_ engine: Engine) async throws {
        try await engine.run { gateway in
            var ids: Set<NotificationID?> = []
            for namespace: Namespace in ["one", "two"] {
                let token = try await gateway.device(token: "c0ffee", in: namespace).token
                let body = Array(line(token).utf8)
                let headers = Self.headers("k", in: namespace)
                let answer = try await gateway.batch(body, query: "?results=all", headers: headers)
                #expect(!Self.isReplay(answer))
                ids.insert(try answer.decoded(as: BatchReceipt.self).results.first?.id)
            }
            #expect(ids.count == 2)
        }
    }

    @Test(arguments: Engine.allCases) func onlyOneOfConcurrentRequestsIsAccepted(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            let body = Array(line(device.token).utf8)
            let answers = try await withThrowingTaskGroup(of: Exchange.self) { group in
                for _ in 0..<8 { group.addTask { try await gateway.batch(body, headers: Self.headers("k")) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.map(\.status) == Array(repeating: 200, count: 8))
            #expect(answers.count { !Self.isReplay($0) } == 1)
            #expect(Set(try answers.map { try $0.decoded(as: BatchReceipt.self).id }).count == 1)
            #expect(try await gateway.inbox(of: device).count == 1)
        }
    }

    @Test(arguments: Engine.allCases) func identifiersAreDerivedFromTheKey(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let own = "123E4567-e89b-42d3-a456-426614174000"
            let device = try await gateway.device()
            let body = Array((line(device.token) + line(device.token, #""id":"\#(own)","#) + line(device.token)).utf8)
            let key = IdempotencyKey(key: "k", fingerprint: BatchFingerprint.make(body, isAtomic: false))
            let expected: [NotificationID?] = [
                ItemIdentifiers.derived(from: key, in: .standard, index: 0), NotificationID(rawValue: own),
                ItemIdentifiers.derived(from: key, in: .standard, index: 2),
            ]
            for _ in 0..<2 {
                let answer = try await gateway.batch(body, query: "?results=all", headers: Self.headers("k"))
                #expect(try answer.decoded(as: BatchReceipt.self).results.map(\.id) == expected)
            }
            #expect(try await gateway.inbox(of: device).map(\.id) == expected)
        }
    }

    @Test(arguments: Engine.allCases, [("?atomic=true", "nonsense", 422), ("", "[1,", 400)])
    func refusedBatchLeavesItsKeyUnused(
        _ engine: Engine,
        _ refused: (query: String, body: String, status: UInt)
    ) async throws {
        try await engine.run { gateway in
            let token = try await gateway.device().token
            let refusal = try await gateway.batch(
                Array(refused.body.utf8),
                query: refused.query,
                headers: Self.headers("k")
            )
            #expect(refusal.status == refused.status)
            let answer = try await gateway.batch(Array(line(token).utf8), headers: Self.headers("k"))
            #expect(answer.status == 200)
            #expect(!Self.isReplay(answer))
        }
    }

    @Test(arguments: [(1, 200), (255, 200), (256, 400)]) func keyHasAtMost255Characters(
        _ length: Int,
        _ status: UInt
    ) async throws {
        try await RunningGateway.run { gateway in
            let key = String(repeating: "~", count: length)
            let answer = try await gateway.batch(Array(line("00").utf8), headers: Self.headers(key))
            #expect(answer.status == status)
        }
    }

    // MARK: Stored results of a batch

    /// Returns a repeated batch, and services that already stored the first one with `record` as its results.
    private static func replay(of record: String) async throws -> (services: GatewayServices, BatchSubmission) {
        let services = try GatewayServices.forTests()
        let rejected = RejectedItem(
            subject: LogSubject(),
            rejection: Rejection(status: 400, reason: .badRequestPayload, message: "no JSON")
        )
        let key = IdempotencyKey(key: "k", fingerprint: [1])
        let batch = NewBatch(id: "b", notifications: [], rejections: [rejected, rejected], key: key) { _ in
            Array(record.utf8)
        }
        _ = try await services.delivery.append(batch)
        let submission = BatchSubmission(
            id: "again",
            options: BatchOptions(
                namespace: .standard,
                coding: .identity,
                wantsAllResults: false,
                isAtomic: false,
                key: key.key,
                isAsynchronous: false,
                trace: RequestTrace(nil)
            ),
            body: [],
            key: key,
            reservation: try services.limiter.admit()
        )
        return (services, submission)
    }

    @Test func replayHasTheCountsFromTheStore() async throws {
        let (services, submission) = try await Self.replay(of: "")
        let answer = try #require(try await services.batches.replay(submission))
        #expect(answer.isReplay)
        #expect(answer.receipt.rejected == 2)
    }

    @Test func replayWithUnreadableResultsFails() async throws {
        let (services, submission) = try await Self.replay(of: "no JSON")
        await #expect(throws: GatewayError.internalError) { _ = try await services.batches.replay(submission) }
        await #expect(throws: GatewayError.internalError) {
            _ = try await services.batches.status(of: "b", in: .standard)
        }
    }
}
