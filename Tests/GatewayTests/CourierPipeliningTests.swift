import Foundation
import GatewayClient
import GatewayTestSupport
import Testing
import WaypostSchema

@Suite(.timeLimit(.minutes(5))) struct CourierPipeliningTests {
    /// Returns a request to the courier as HTTP/1.1 text.
    static func request(_ head: String, _ device: DeviceCredential, body: String = "", close: Bool = false) -> String {
        "\(head) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(device.secret.rawValue)\r\n"
            + (close ? "Connection: close\r\n" : "") + "Content-Length: \(body.utf8.count)\r\n\r\n" + body
    }

    static func acknowledgement(_ sequence: Int, _ device: DeviceCredential, close: Bool = false) -> String {
        request("POST /v1/acks", device, body: #"{"sequences":[\#(sequence)]}"#, close: close)
    }

    /// Returns the status codes of the answers, in order.
    static func statuses(_ text: String) -> [Substring] {
        text.matches(of: /HTTP\/1\.1 (\d\d\d)/).map(\.output.1)
    }

    @Test func requestsOnOneConnectionAreAnsweredInOrder() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            try await gateway.send(line(device.token) + line(device.token))
            let sequences = try await gateway.events(2, of: device).compactMap { Int($0.id) }
            let requests =
                Self.acknowledgement(sequences[0], device) + Self.request("GET /nothing", device)
                + Self.acknowledgement(sequences[0], device) + Self.request("POST /v1/acks", device, body: "no JSON")
                + Self.acknowledgement(sequences[1], device, close: true)
            let text = try await gateway.rawCourier(requests)
            #expect(Self.statuses(text) == ["200", "404", "200", "400", "200"])
            let counts = text.matches(of: /"acknowledged":(\d)/).map(\.output.1)
            #expect(counts == ["1", "0", "1"])
        }
    }

    @Test func manyPipelinedRequestsAreAllAnswered() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            let refused = String(repeating: Self.request("GET /nothing", device), count: 500)
            let asked = String(repeating: Self.acknowledgement(1, device), count: 500)
            let requests =
                Self.acknowledgement(1, device) + refused + asked + Self.acknowledgement(1, device, close: true)
            let text = try await gateway.rawCourier(requests)
            let statuses = Self.statuses(text)
            #expect(statuses.count == 1_002)
            #expect(statuses.prefix(1) == ["200"])
            #expect(statuses[1...500].allSatisfy { $0 == "404" })
            #expect(statuses[501...].allSatisfy { $0 == "200" })
        }
    }

    /// The client would read a body as the beginning of the next response (RFC 9110, section 9.3.2).
    @Test func responseToHeadHasNoBody() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            let requests = Self.request("HEAD /v1/events", device) + Self.request("HEAD /nothing", device, close: true)
            let text = try await gateway.rawCourier(requests)
            #expect(Self.statuses(text) == ["405", "404"])
            #expect(!text.contains("{"))
        }
    }

    @Test func requestAfterAStreamRequestGetsNoAnswer() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            try await gateway.send(line(device.token))
            let requests = Self.request("GET /v1/events", device) + Self.acknowledgement(1, device, close: true)
            async let text = gateway.rawCourier(requests)
            let receipt = try await gateway.send(line(device.token))
            try await gateway.wait(for: [.sent: 1], of: receipt.id)
            // A second stream replaces the first one and ends it.
            let stream = try await gateway.stream(device)
            #expect(try await text.matches(of: /HTTP\/1\.1/).count == 1)
            #expect(try await text.matches(of: /event: notification/).count == 2)
            withExtendedLifetime(stream) {}
        }
    }
}
