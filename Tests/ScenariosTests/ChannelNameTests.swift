import Testing
import WaypostSchema

@testable import Scenarios

/// The names of channels in payloads.
@Suite struct ChannelNameTests {
    private static let channels: [String: ChannelID] = ["parade": "Y2xvd25jbG93bmNsb3duYw=="]

    private static func payload(_ channel: String) -> JSONValue {
        .object(["aps": .object(["event": .string("start"), "input-push-channel": .string(channel)])])
    }

    @Test(
        arguments: [
            ("parade", "Y2xvd25jbG93bmNsb3duYw=="), ("aG9ua2hvbmtob25raG9uaw==", "aG9ua2hvbmtob25raG9uaw=="),
        ]
    )
    func nameBecomesTheIdentifier(_ name: String, _ identifier: String) throws {
        let payload = try Self.payload(name).replacingChannelName(with: Self.channels)
        #expect(payload == Self.payload(identifier))
    }

    @Test(arguments: ["parad", "", "aG9uaw==", "aG9ua2hvbmtob25raG9ua2hvbms="])
    func anotherValueIsAFailure(_ name: String) throws {
        let failure = try #require(throws: StepFailure.self) {
            try Self.payload(name).replacingChannelName(with: Self.channels)
        }
        #expect(failure.message.contains("there is no channel '\(name)' yet"))
    }

    @Test func payloadWithoutAChannelStays() throws {
        let payload = JSONValue.object(["aps": .object(["event": .string("start")])])
        let same = try payload.replacingChannelName(with: Self.channels)
        #expect(same == payload)
    }
}
