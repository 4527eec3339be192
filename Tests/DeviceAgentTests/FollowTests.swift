import AsyncHTTPClient
import DeviceAgent
import Foundation
import GatewayClient
import GatewayTestSupport
import NIOCore
import Testing
import WaypostSchema

/// The event stream of a device, and requests that wait for a list.
@Suite(.timeLimit(.minutes(5))) struct FollowTests {
    private static let path = "/v1/devices/Ava%27s%20iPad"

    /// Runs an agent whose waits end only with the agent.
    private static func run(
        _ body: @escaping @Sendable (RunningGateway, AgentReadyFile) async throws -> Void
    ) async throws {
        try await RunningGateway.run { gateway in
            let (service, courier) = (gateway.ready.service, gateway.ready.courier)
            let configuration = AgentConfiguration(
                devices: [ConfiguredDevice(clownTown)],
                service: service,
                courier: courier
            )
            try await withAgent(configuration, sources: .waiting) { ready in try await body(gateway, ready) }
        }
    }

    private static func send(_ gateway: RunningGateway, _ ready: AgentReadyFile) async throws {
        let agent = AgentClient(gateway.http, control: ready.control)
        let token = try #require(try await agent.devices().first?.token)
        let client = GatewayClient(gateway.http, service: gateway.ready.service, courier: gateway.ready.courier)
        _ = try await client.send(AgentProcessTests.line(token, AgentProcessTests.id))
    }

    @Test func followerReceivesTheEffectsOfADevice() async throws {
        try await Self.run { gateway, ready in
            let request = HTTPClientRequest(url: ready.control + Self.path + "/events")
            let response = try await gateway.http.execute(request, timeout: .seconds(60))
            try await Self.send(gateway, ready)
            let event = try await Self.firstEvent(of: response)
            #expect(event.type == "effect")
            let effect = try JSONDecoder().decode(DeviceEffect.self, from: Data(event.data.utf8))
            guard case .notification(.notificationPosted(let notification)) = effect else {
                Issue.record("\(effect)")
                return
            }
            #expect(notification.id.rawValue == AgentProcessTests.id)
        }
    }

    /// A page that shows the messages draws this one too.
    @Test func followerLearnsOfAMessageWithoutALink() async throws {
        try await Self.run { gateway, ready in
            let request = HTTPClientRequest(url: ready.control + Self.path + "/events")
            let response = try await gateway.http.execute(request, timeout: .seconds(60))
            let control = JSONCalls(gateway.http, base: ready.control)
            let message = Message(id: "m1", conversation: "c1", sender: "+14085550101", text: "Hello", sentAt: nil)
            let reaction: DeviceReaction = try await control.post(
                Self.path + "/events",
                DeviceEvent.sharing(.messageReceived(message))
            )
            #expect(reaction.effects.isEmpty)
            let event = try await Self.firstEvent(of: response)
            let journal: JournalPage = try await control.get(Self.path + "/journal?after=0&limit=1000")
            #expect(event.type == "changed")
            #expect(event.data == #"{"journalLength":\#(journal.next)}"#)
            #expect(journal.entries.last?.event == .sharing(.messageReceived(message)))
        }
    }

    /// Returns the first event of a stream.
    private static func firstEvent(of response: HTTPClientResponse) async throws -> ServerSentEvent {
        var parser = ServerSentEventParser()
        for try await piece in response.body {
            if let event = try parser.parse(piece.readableBytesView).first { return event }
        }
        return try #require(nil, "the stream ended without an event")
    }

    @Test func streamEndsAlsoIfNobodyReadsTheBody() async throws {
        try await Self.run { gateway, ready in
            var request = HTTPClientRequest(url: ready.control + Self.path + "/events")
            let (body, chunk) = AsyncStream.makeStream(of: ByteBuffer.self)
            for _ in 0..<20 { chunk.yield(ByteBuffer(string: "x")) }
            request.body = .stream(body, length: .unknown)
            let response = try await gateway.http.execute(request, timeout: .seconds(60))
            var pieces = response.body.makeAsyncIterator()
            _ = try await pieces.next()
            // The agent ends now, although the body never does.
        }
    }

    @Test func listRequestWaitsForItems() async throws {
        try await Self.run { gateway, ready in
            let control = JSONCalls(gateway.http, base: ready.control)
            async let waited: [DeviceNotification] = control.get(Self.path + "/notifications?wait=1&timeout=60s")
            try await Self.send(gateway, ready)
            let notifications = try await waited
            #expect(notifications.map(\.id.rawValue) == [AgentProcessTests.id])
            // A list that is long enough is returned immediately.
            let again: [DeviceNotification] = try await control.get(Self.path + "/notifications?wait=1")
            #expect(again == notifications)
        }
    }

    @Test func waitEndsAfterItsTimeout() async throws {
        let clock = AgentClock()
        try await RunningGateway.run { gateway in
            let (service, courier) = (gateway.ready.service, gateway.ready.courier)
            let configuration = AgentConfiguration(
                devices: [ConfiguredDevice(clownTown)],
                service: service,
                courier: courier
            )
            try await withAgent(configuration, sources: clock.sources) { ready in
                let control = JSONCalls(gateway.http, base: ready.control)
                let none: [DeviceNotification] = try await control.get(Self.path + "/notifications?wait=1&timeout=0s")
                #expect(none.isEmpty)
            }
        }
    }

    @Test(arguments: [
        "wait=many", "wait=-1", "wait=1&timeout=soon", "wait=1&timeout=61s", "wait=1&timeout=99999999999s",
    ])
    func invalidWaitIsRefused(_ query: String) async throws {
        try await Self.run { gateway, ready in
            let control = JSONCalls(gateway.http, base: ready.control)
            let error = await #expect(throws: CallError.self) {
                _ = try await control.get(Self.path + "/notifications?" + query, as: [DeviceNotification].self)
            }
            guard case .refused(400, let refusal) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(refusal.code == "badParameter")
        }
    }
}
