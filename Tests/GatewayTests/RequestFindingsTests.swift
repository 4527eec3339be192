import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema

@testable import Gateway

/// The keys of requests that nothing reads, and HEAD.
@Suite(.timeLimit(.minutes(5))) struct RequestFindingsTests {
    @Test func registrationNamesItsUnknownKeys() async throws {
        try await RunningGateway.run { gateway in
            let body = Array(#"{"name":"iPad","topics":["a.b"],"enviroment":"sandbox"}"#.utf8)
            let response = try await gateway.service(.POST, "/v1/devices", body: body)
            #expect(response.status == 201)
            let sentence = "unknown key 'enviroment'; did you mean 'environment'?"
            let credential = try response.decoded(as: DeviceCredential.self)
            #expect(credential.findings == [NotificationFinding(code: .unknownKey, message: sentence)])
            #expect(response.headers.first(name: "waypost-message") == "warning: \(sentence) [unknownKey]")
            let usualBody = Array(#"{"name":"b","topics":[]}"#.utf8)
            let usual = try await gateway.service(.POST, "/v1/devices", body: usualBody)
            #expect(try usual.decoded(as: DeviceCredential.self).findings == nil)
            #expect(usual.headers.first(name: "waypost-message") == nil)
        }
    }

    @Test(arguments: ["/health", "/v1/devices", "/v1/clock", "/"])
    func headIsAnsweredLikeGetWithoutABody(_ path: String) async throws {
        try await RunningGateway.run { gateway in
            let response = try await gateway.service(.HEAD, path)
            #expect(response.status == 200, "\(path)")
            #expect(response.body.isEmpty)
        }
    }
}
