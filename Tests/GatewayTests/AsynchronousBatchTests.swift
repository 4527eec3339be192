import Gateway
import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema

@Suite(.timeLimit(.minutes(5))) struct AsynchronousBatchTests {
    static let headers = [("prefer", "respond-async")]

    /// Returns a transient item, which the gateway drops at once because no device is connected.
    static func brief(_ token: DeviceToken) -> String {
        line(token, #""expiration":0,"#)
    }

    @Test(arguments: Engine.allCases) func batchIsAnsweredBeforeItIsStored(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let token = try await gateway.device().token
            let body = Array((Self.brief(token) + line("00ff")).utf8)
            let answer = try await gateway.batch(body, headers: Self.headers)
            #expect(answer.status == 202)
            let pending = try answer.decoded(as: BatchStatus.self)
            #expect(pending == BatchStatus(id: pending.id, phase: .pending, accepted: 0, rejected: 0, states: [:]))
            #expect(answer.headers.first(name: "preference-applied") == "respond-async")
            let location = try #require(answer.headers.first(name: "location"))
            #expect(location == "/v1/batches/\(pending.id)")
            let status: BatchStatus = try await gateway.get(location + "?wait=settled&timeout=60s")
            #expect(status.phase == .committed)
            #expect(status.accepted == 1)
            #expect(status.rejected == 1)
            #expect(status.states == [.dropped: 1])
            #expect(status.results?.map(\.index) == [1])
            #expect(status.results?.map(\.reason) == [.badDeviceToken])
        }
    }

    struct Refusal: CustomTestStringConvertible, Sendable {
        var body: String
        var query = ""
        var code: APIError.Code
        var line: Int?
        var results: [Int]?
        var testDescription: String { code.rawValue }
    }

    @Test(arguments: [
        Refusal(body: String(repeating: "{}\n", count: 11), code: "tooManyItems", line: 11),
        Refusal(body: "[\n{]", code: "malformedBody", line: 2),
        Refusal(body: "\n{}", query: "?atomic=true", code: "batchRefused", line: 2, results: [0]),
    ])
    func batchStatusReportsWhyTheBatchWasRefused(_ refusal: Refusal) async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.batchLimits.items = 10
        try await RunningGateway.run(configuration) { gateway in
            let answer = try await gateway.batch(
                Array(refusal.body.utf8),
                query: refusal.query,
                headers: Self.headers
            )
            #expect(answer.status == 202)
            let status = try await gateway.settledStatus(of: answer.decoded(as: BatchStatus.self).id)
            #expect(status.phase == .refused)
            #expect(status.accepted == 0)
            #expect(status.error?.code == refusal.code)
            #expect(status.error?.line == refusal.line)
            #expect(status.results?.map(\.index) == refusal.results)
        }
    }

    @Test func undecodableBodyIsRefusedImmediately() async throws {
        try await RunningGateway.run { gateway in
            let answer = try await gateway.batch(Array("no gzip".utf8), coding: "gzip", headers: Self.headers)
            #expect(answer.status == 400)
            #expect(try answer.error.code == "corruptEncoding")
        }
    }

    /// The second batch may arrive before or after the first is stored.
    @Test(arguments: Engine.allCases) func repeatedBatchWithTheSameKeyResolvesToTheFirst(_ engine: Engine) async throws
    {
        try await engine.run { gateway in
            let body = Array(Self.brief(try await gateway.device().token).utf8)
            let headers = Self.headers + [("idempotency-key", "k")]
            let first = try await gateway.batch(body, headers: headers).decoded(as: BatchStatus.self)
            let answer = try await gateway.batch(body, headers: headers)
            if answer.status == 202 {
                let second = try answer.decoded(as: BatchStatus.self)
                #expect(second.id != first.id)
                #expect(try await gateway.settledStatus(of: second.id) == gateway.settledStatus(of: first.id))
            } else {
                #expect(try answer.decoded(as: BatchReceipt.self).id == first.id)
            }
            #expect(try await gateway.settledStatus(of: first.id).states == [.dropped: 1])
            let third = try await gateway.batch(body, headers: headers)
            #expect(third.status == 200)
            #expect(third.headers.first(name: "idempotency-replayed") == "true")
            #expect(try third.decoded(as: BatchReceipt.self).id == first.id)
        }
    }

    @Test func differentBatchWithTheSameKeyIsAConflict() async throws {
        try await RunningGateway.run { gateway in
            let body = Self.brief(try await gateway.device().token)
            let headers = Self.headers + [("idempotency-key", "k")]
            _ = try await gateway.batch(Array(body.utf8), headers: headers)
            let answer = try await gateway.batch(Array((body + body).utf8), headers: headers)
            let code =
                answer.status == 202
                ? try await gateway.settledStatus(of: answer.decoded(as: BatchStatus.self).id).error?.code
                : try answer.error.code
            #expect(code == "idempotencyConflict")
        }
    }

    @Test func pendingBatchesAreStoredDuringShutdown() async throws {
        let store = try ScratchStore()
        let batches = try await store.run { gateway in
            let token = try await gateway.device().token
            let body = Array(String(repeating: line(token), count: 500).utf8)
            var batches: [BatchID] = []
            for _ in 0..<10 {
                batches.append(try await gateway.batch(body, headers: Self.headers).decoded(as: BatchStatus.self).id)
            }
            return batches
        }
        try await store.run { gateway in
            for batch in batches {
                let status = try await gateway.status(of: batch)
                #expect(status.states == [.stored: 500])
            }
        }
    }

    @Test(arguments: [
        ("respond-async", 202), ("Respond-Async", 202), ("wait=10, respond-async", 202), ("respond-async; x=1", 202),
        ("return=minimal", 200), ("respond-asynchronously", 200), ("", 200),
    ])
    func otherPreferencesAreIgnored(_ preference: String, _ status: UInt) async throws {
        try await RunningGateway.run { gateway in
            let answer = try await gateway.batch(Array(line("00").utf8), headers: [("prefer", preference)])
            #expect(answer.status == status)
        }
    }
}
