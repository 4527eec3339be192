import AsyncHTTPClient
import DeviceAgent
import Foundation
import Gateway
import GatewayClient
import GatewayTestSupport
import NIOCore
import NIOHTTP1
import Testing
import WaypostSchema
import WaypostTestSupport

/// The depth limit of JSON on the entrances of an agent.
@Suite(.timeLimit(.minutes(5))) struct DeepJSONTests {
    /// Returns an event with a payload that is `depth` deep; two more levels are around it.
    private static func event(payloadDepth depth: Int) -> String {
        let notification = #"{"id":"n","token":"t","topic":"com.example.clowntown","pushType":"alert","priority":10,"#
        return
            #"{"type":"notificationDelivered","notification":\#(notification)"sequence":1,"payload":\#(payload(depth))}}"#
    }

    /// Returns an object that is `depth` deep.
    private static func payload(_ depth: Int) -> String {
        #"{"aps":{"alert":"deep"},"a":"# + String(repeating: "[", count: depth - 1)
            + String(repeating: "]", count: depth - 1) + "}"
    }

    @Test(arguments: [(126, true), (127, false), (10_000, false)])
    func eventIsNestedAtMost128Deep(_ depth: Int, _ isAccepted: Bool) async throws {
        try await RunningGateway.run { gateway in
            let configuration = AgentConfiguration(
                devices: [ConfiguredDevice(clownTown)],
                service: gateway.ready.service,
                courier: gateway.ready.courier
            )
            try await withAgent(configuration, sources: .forTests) { ready in
                var request = HTTPClientRequest(url: "\(ready.control)/v1/devices/Ava's%20iPad/events")
                request.method = .POST
                request.body = .bytes(.init(string: Self.event(payloadDepth: depth)))
                let response = try await gateway.http.execute(request, timeout: .minutes(5))
                let answer = String(buffer: try await response.body.collect(upTo: 1 << 20))
                #expect(response.status == (isAccepted ? .ok : .badRequest), "\(answer)")
                #expect(answer.contains("deeper than 128") == !isAccepted, "\(answer)")
            }
        }
    }

    /// The journal and the event stream have levels of their own around a payload.
    @Test func deepestPayloadOfTheGatewayIsReadAgainAfterARestart() async throws {
        let folder = try ScratchFolder()
        try await RunningGateway.run { gateway in
            let client = GatewayClient(gateway.http, service: gateway.ready.service, courier: gateway.ready.courier)
            var configuration = AgentConfiguration(
                devices: [ConfiguredDevice(clownTown)],
                service: gateway.ready.service,
                courier: gateway.ready.courier
            )
            configuration.data = folder.path(of: "device")
            // A line of a batch has one level around the payload.
            let payload = Self.payload(127)
            let id = AgentProcessTests.id
            try await withAgent(configuration, sources: .waiting) { ready in
                let agent = AgentClient(gateway.http, control: ready.control)
                let token = try #require(try await agent.devices()[0].token)
                let item = #"{"token":"\#(token)","topic":"com.example.clowntown","id":"\#(id)","payload":\#(payload)}"#
                let receipt = try await client.send(Array(item.utf8))
                #expect(try await client.settledStatus(of: receipt.id, within: 60).states == [.acknowledged: 1])
            }
            try await withAgent(configuration, sources: .waiting) { ready in
                let agent = AgentClient(gateway.http, control: ready.control)
                let ids = try await agent.notifications(of: clownTown.name).map(\.id.rawValue)
                #expect(ids == [id])
            }
        }
        withExtendedLifetime(folder) {}
    }

    /// A client that says how long its body is, and ends before.
    @Test func truncatedBodyIsRefused() async throws {
        try await RunningGateway.run { gateway in
            try await withAgent(of: gateway.ready, gateway.http) { agent in
                let answer = try await ExternalCommand.run([
                    "python3", "-c",
                    """
                    import socket, sys
                    s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
                    s.sendall(b"POST /v1/devices HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: 9\\r\\n\\r\\n{")
                    s.shutdown(socket.SHUT_WR)
                    print(s.recv(1000).decode())
                    """,
                    String(agent.url.split(separator: ":").last ?? ""),
                ])
                let text = String(decoding: answer, as: UTF8.self)
                #expect(text.hasPrefix("HTTP/1.1 400 "), "\(text)")
                #expect(text.contains("the body ended early"))
            }
        }
    }
}
