import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema

@Suite(.timeLimit(.minutes(5))) struct AtomicBatchTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var item: String
        var reason: RejectionReason
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "an item that cannot be parsed", item: "nonsense\n", reason: .badRequestPayload),
        Case(name: "an item that breaks a rule", item: line("00ff", #""priority":7,"#), reason: .badPriority),
        Case(name: "an unknown token", item: line("00ff"), reason: .badDeviceToken),
    ]

    @Test(arguments: Engine.allCases, cases) func oneBadItemRefusesTheWholeBatch(
        _ engine: Engine,
        _ example: Case
    ) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            let body = line(device.token) + "\n" + example.item + line(device.token) + example.item
            let answer = try await gateway.batch(Array(body.utf8), query: "?atomic=true")
            #expect(answer.status == 422)
            let refusal = try answer.decoded(as: APIErrorBody.self)
            #expect(refusal.error.code == "batchRefused")
            #expect(refusal.error.line == 3)
            #expect(refusal.results?.map(\.index) == [1, 3])
            #expect(refusal.results?.map(\.line) == [3, 5])
            #expect(refusal.results?.map(\.reason) == [example.reason, example.reason])
            #expect(try await gateway.inbox(of: device).isEmpty)
        }
    }

    @Test func refusalOfManyItemsHasAllResults() async throws {
        try await RunningGateway.run { gateway in
            let body = Array(String(repeating: "{}\n", count: 1_000).utf8)
            let answer = try await gateway.batch(body, query: "?atomic=true")
            #expect(answer.status == 422)
            #expect(answer.headers.first(name: "content-type") == "application/json")
            let refusal = try answer.decoded(as: APIErrorBody.self)
            #expect(refusal.error.code == "batchRefused")
            #expect(refusal.results?.map(\.index) == Array(0..<1_000))
        }
    }

    @Test(arguments: Engine.allCases) func batchOfGoodItemsIsAcceptedWhole(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            let receipt = try await gateway.send(line(device.token) + line(device.token), query: "?atomic=true")
            #expect(receipt.accepted == 2)
            #expect(receipt.rejected == 0)
            #expect(try await gateway.inbox(of: device).count == 2)
        }
    }
}
