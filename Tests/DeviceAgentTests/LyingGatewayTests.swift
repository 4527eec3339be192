import DeviceAgent
import GatewayClient
import GatewayTestSupport
import Logging
import Testing
import WaypostSchema

/// An agent treats the data of a gateway as untrusted.
@Suite(.timeLimit(.minutes(5))) struct LyingGatewayTests {
    private static func event(_ sequence: Int, _ id: String, payload: String = #"{"aps":{"alert":"Honk"}}"#) -> String {
        "event: notification\nid: \(sequence)\ndata: "
            + #"{"sequence":\#(sequence),"id":"\#(id)","token":"00ff","topic":"com.example.clowntown","#
            + #""pushType":"alert","priority":10,"payload":\#(payload)}"# + "\n\n"
    }

    /// Runs an agent of a gateway that sends `streams`, and waits until the device has `count` notifications.
    private static func notifications(
        _ count: Int,
        after streams: [[String]]
    ) async throws -> (ids: [String], acknowledged: [Int]) {
        let gateway = LyingGateway(streams)
        let (found, find) = AsyncStream.makeStream(of: ([String], [Int]).self)
        try await gateway.run { url in
            let configuration = AgentConfiguration(devices: [ConfiguredDevice(clownTown)], service: url, courier: url)
            try await HTTPClients.run { http in
                try await withAgent(configuration, sources: .forTests) { ready in
                    let control = JSONCalls(http, base: ready.control)
                    var list: [DeviceNotification] = []
                    // The time limit of the suite ends an endless wait.
                    while list.count < count || gateway.acknowledged.isEmpty {
                        list = try await control.get("/v1/devices/Ava%27s%20iPad/notifications")
                    }
                    find.yield((list.map(\.id.rawValue), gateway.acknowledged))
                }
            }
        }
        for await found in found { return found }
        throw CancellationError()
    }

    @Test(arguments: [
        ["event: notification\nid: 1\ndata: {broken\n\n"],
        ["event: notification\nid: 1\ndata: {\"sequence\":\"one\"}\n\n"],
        ["event: notification\ndata: []\n\n"],
        ["event: nonsense\ndata: {}\n\n"],
        ["data: honk\n\n", ":\n\n", "\u{FEFF}event\n\n"],
        ["event: end\ndata: {}\n\n"],
    ])
    func invalidEventsAreSkippedAndTheRestIsProcessed(_ lie: [String]) async throws {
        let told = try await Self.notifications(1, after: [lie + [Self.event(7, "n7")], [Self.event(7, "n7")]])
        #expect(told.ids == ["n7"])
        #expect(told.acknowledged.allSatisfy { $0 == 7 })
    }

    @Test func repeatedOrUnorderedEventsAreProcessedOnce() async throws {
        let stream = [
            Self.event(5, "b"), Self.event(2, "a"), Self.event(6, "b"), Self.event(5, "b"), Self.event(9, "c"),
        ]
        let told = try await Self.notifications(3, after: [stream])
        #expect(told.ids == ["b", "a", "c"])
    }

    @Test func eventOfTenMegabytesEndsOnlyTheStream() async throws {
        let huge = Self.event(2, "huge", payload: "\"\(String(repeating: "x", count: 10 << 20))\"")
        let told = try await Self.notifications(2, after: [[Self.event(1, "a"), huge], [Self.event(3, "c")]])
        #expect(told.ids == ["a", "c"])
    }

    @Test(arguments: ["", "no-uuid", "../../devices", "größer 🤡", String(repeating: "x", count: 3_000)])
    func unusualIdentifierIsKept(_ id: String) async throws {
        let told = try await Self.notifications(1, after: [[Self.event(-1, id), Self.event(-1, id)]])
        #expect(told.ids == [id])
    }

    @Test(arguments: [#""honk""#, "[]", "17", "null", #"{"aps":[]}"#, #"{"aps":{"target-content-id":5,"alert":[]}}"#])
    func anyPayloadIsANotification(_ payload: String) async throws {
        let told = try await Self.notifications(1, after: [[Self.event(1, "a", payload: payload)]])
        #expect(told.ids == ["a"])
    }
}
