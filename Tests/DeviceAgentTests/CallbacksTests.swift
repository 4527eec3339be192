import DeviceAgent
import GatewayClient
import GatewayTestSupport
import Testing
import WaypostSchema

/// An agent's answer to which methods of an app the system calls.
@Suite(.timeLimit(.minutes(5))) struct CallbacksTests {
    /// The members of the answer that the tests look at.
    private struct Answer: Decodable, Sendable {
        var cause: EventCause
        var state: InitialState
        var deliveries: [String]?
        var cannotHappen: String?
    }

    private static let path = "/v1/devices/Ava%27s%20iPad/apps/com.example.clowntown/callbacks"

    @Test func agentAnswersWithTheCallsOfACause() async throws {
        try await LinkedAgent.run { agent in
            let path = "\(Self.path)?cause=universalLink&state=notRunning"
            let answer = try await agent.control.get(path, as: Answer.self)
            #expect((answer.cause, answer.state) == (.universalLink, .notRunning))
            #expect(answer.deliveries == ["scene(_:willConnectTo:options:) connectionOptions.userActivities"])
            let older = try await agent.control.get(
                "\(Self.path)?cause=appIntent&state=background&system=18",
                as: Answer.self
            )
            #expect(older.cannotHappen == "it is new in iOS 26")
        }
    }

    @Test func versionOfTheDeviceIsTheDefault() async throws {
        try await LinkedAgent.run { agent in
            var device = try await agent.control.get("/v1/devices/Ava%27s%20iPad", as: DeviceDescription.self)
            device.system = "18.4"
            _ = try await agent.client.apply(.system(.deviceDescribed(device)), to: LinkedAgent.name)
            let question = "\(Self.path)?cause=appIntent&state=background"
            let older = try await agent.control.get(question, as: Answer.self)
            #expect(older.cannotHappen == "it is new in iOS 26")
            let newer = try await agent.control.get("\(question)&system=26", as: Answer.self)
            #expect(newer.cannotHappen != "it is new in iOS 26")
        }
    }

    @Test func versionWithoutScenesIsRefusedUnlessTheQuestionHasAnother() async throws {
        try await LinkedAgent.run { agent in
            var device = try await agent.control.get("/v1/devices/Ava%27s%20iPad", as: DeviceDescription.self)
            device.system = "12.4"
            _ = try await agent.client.apply(.system(.deviceDescribed(device)), to: LinkedAgent.name)
            let question = "\(Self.path)?cause=universalLink&state=notRunning"
            let error = await #expect(throws: CallError.self) {
                _ = try await agent.control.get(question, as: Answer.self)
            }
            #expect(error?.status == 400)
            #expect(error.map { "\($0)" }?.contains("the system of the device is 12.4") == true)
            let answer = try await agent.control.get("\(question)&system=13", as: Answer.self)
            #expect(answer.state == .notRunning)
        }
    }

    @Test func scenesThatOpenHaveTheirCause() async throws {
        try await LinkedAgent.run { agent in
            let opened = try await agent.client.openURL(LinkedAgent.url, on: LinkedAgent.name).opened
            #expect(opened?.cause == .universalLink)
            #expect(opened?.initialState == .background)
        }
    }

    @Test(
        arguments: [
            ("", "the parameter is missing"), ("?cause=universalLink", "the parameter is missing"),
            ("?cause=universallink&state=notRunning", "did you mean 'universalLink'?"),
            ("?cause=x&state=notRunning", "use one of icon, notificationTap"),
            ("?cause=icon&state=notRunning&system=12", "'12' is not a number from 13 to 99"),
        ]
    )
    func unusableQueryIsRefusedWithTheAcceptedValues(_ query: String, _ message: String) async throws {
        try await LinkedAgent.run { agent in
            let error = await #expect(throws: CallError.self) {
                _ = try await agent.control.get(Self.path + query, as: Answer.self)
            }
            #expect(error?.status == 400)
            #expect("\(error.map(String.init(describing:)) ?? "")".contains(message))
        }
    }
}
