import AsyncHTTPClient
import Foundation
import GatewayClient
import ProcessTestSupport
import Testing
import WaypostSchema
import WaypostTestSupport

extension DurabilityTests {
    /// The time limit allows for eight starts of an agent under load, on a busy machine.
    @Suite(.timeLimit(.minutes(5 * Trials.factor))) struct AgentCrashTests {
        private static let kills = 8 * Trials.factor
        private static let batches = 6
        private static let device =
            #"{"name":"iPad","apps":[{"bundleIdentifier":"com.example.clowntown","scenes":[]}]}"#

        /// Sends batches, half of each for an app and half for Messages, and returns the identifiers.
        private static func send(
            _ count: Int,
            to token: DeviceToken,
            _ calls: GatewayCalls
        ) async throws -> [NotificationID] {
            var ids: [NotificationID] = []
            for _ in 0..<count {
                var lines = ""
                for number in 0..<8 {
                    let id = UUID().uuidString.lowercased()
                    ids.append(NotificationID(rawValue: id))
                    let message = #"{"id":"\#(id)","conversation":"c1","sender":"+14085550101","text":"\#(number)"}"#
                    let (topic, payload) =
                        number.isMultiple(of: 2)
                        ? ("com.example.clowntown", #"{"aps":{"alert":"Honk"}}"#)
                        : ("waypost.messages", #"{"type":"messageReceived","message":\#(message)}"#)
                    lines += #"{"token":"\#(token)","id":"\#(id)","topic":"\#(topic)","payload":\#(payload)}"# + "\n"
                }
                let answer = try await calls.send(lines)
                #expect(answer.status == 200)
            }
            return ids
        }

        @Test func killedAgentLosesNoAcknowledgedNotificationAndProcessesNoneTwice() async throws {
            let scratch = try ScratchFolder()
            let file = try scratch.write(Self.device.utf8, to: "ipad.json")
            let gateway = try await GatewayProcess.start(data: scratch.path(of: "gateway"), scratch)
            let folder = scratch.path(of: "ipad")
            var generator = SeededGenerator(seed: Trials.seed(17))
            var sent: [NotificationID] = []
            var inFlight = 0
            try await GatewayCalls.withClient { http in
                let calls = GatewayCalls(ready: gateway.ready, http: http)
                for _ in 0..<Self.kills {
                    let agent = try await AgentChild.start(file, data: folder, gateway: gateway.ready, scratch)
                    let devices = try await AgentClient(http, control: agent.control).devices()
                    let token = try #require(devices.first?.token)
                    async let sending = Self.send(Self.batches, to: token, calls)
                    await http.turn(Int.random(in: 0..<4_000, using: &generator))
                    await agent.kill()
                    sent += try await sending
                    // Every notification that the agent acknowledged to the gateway is in its journal.
                    let log = try await calls.log()
                    let acknowledged = Set(log.values.filter { $0.state == .acknowledged }.compactMap(\.id))
                    #expect(acknowledged.subtracting(try agent.journaled).isEmpty)
                    if acknowledged.count < sent.count { inFlight += 1 }
                }
                let agent = try await AgentChild.start(file, data: folder, gateway: gateway.ready, scratch)
                try await waitUntil("everything is acknowledged") {
                    try await calls.log().values.allSatisfy { $0.state == .acknowledged }
                }
                let notifications = try await AgentClient(http, control: agent.control).notifications(of: "iPad")
                let expected = Set(sent.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element))
                #expect(notifications.count == expected.count)
                #expect(Set(notifications.map(\.id)) == expected)
                #expect(Set(try agent.journaled) == Set(sent))
                let repeated = try agent.journaled.count - sent.count
                print(
                    "agent crash test: \(Self.kills) kills, \(inFlight) with unacknowledged notifications; ",
                    "\(sent.count) notifications, \(repeated) were delivered again",
                    separator: ""
                )
                #expect(inFlight > 0)
                agent.process.send(SIGTERM)
                #expect(await agent.process.ended().status == 0)
            }
            #expect(await gateway.stop().status == 0)
            withExtendedLifetime(scratch) {}
        }
    }
}
