import AsyncHTTPClient
import GatewayClient
import Testing
import WaypostSchema

@Suite(.timeLimit(.minutes(5))) struct CallErrorTests {
    @Test(arguments: ["http://127.0.0.1:1", "nonsense"]) func unreachableGatewayIsNamed(_ url: String) async throws {
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .waypost)
        let client = GatewayClient(http, service: url, courier: url)
        let error = await #expect(throws: CallError.self) { try await client.send([]) }
        #expect(error?.description.hasPrefix("cannot reach \(url): ") == true)
        try await http.shutdown()
    }

    @Test func refusalIsDescribedByItsMessage() {
        let error = APIError(code: "malformedBody", message: "not JSON", line: 3)
        #expect("\(CallError.refused(status: 400, error))" == "not JSON (line 3)")
    }

    /// A time-out and a limit are over later; only a refusal of the request itself lasts.
    @Test(arguments: [(400, true), (401, true), (404, true), (408, false), (429, false), (500, false), (503, false)])
    func onlyARefusalOfTheRequestItselfLasts(_ status: Int, isLasting: Bool) {
        let error = CallError.refused(status: status, APIError(code: "malformedBody", message: "no"))
        #expect(error.isLastingRefusal == isLasting)
        #expect(!CallError.unreachable("http://127.0.0.1:1", reason: "closed").isLastingRefusal)
    }
}
