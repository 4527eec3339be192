import GatewayStore
import Testing
import WaypostSchema

@Suite struct RegistrationTests {
    private var records = GatewayRecords.example

    private mutating func refusal(_ token: DeviceToken, _ topic: Topic) -> StoreRefusal? {
        records.append(
            [.example("n1", to: token, for: topic)],
            batch: "batch",
            rejected: 0,
            isConnected: { _ in true },
            at: .noon
        ).refusals.first ?? nil
    }

    @Test(
        arguments: [
            ("tablet", "clowns", nil),
            ("laptop", "notes", nil),
            ("tablet", "clowns.voip", .wrongTopic),
            ("tablet", "", .wrongTopic),
            ("Tablet", "clowns", .unknownToken),
            ("home", "clowns", .unknownToken),
            ("nobody", "nothing", .unknownToken),
        ] as [(DeviceToken, Topic, StoreRefusal?)]
    )
    mutating func tokenAndTopicMustBeRegistered(_ token: DeviceToken, _ topic: Topic, _ refusal: StoreRefusal?) {
        #expect(self.refusal(token, topic) == refusal)
    }

    @Test mutating func deviceWithoutTopicsTakesNothing() {
        records.register("watch", topics: [], secret: "home")
        #expect(refusal("watch", "clowns") == .wrongTopic)
    }

    @Test func agentIsKnownOnceItHasADevice() {
        #expect(records.knows("home"))
        #expect(records.knows("away"))
        #expect(!records.knows("tablet"))
        #expect(!GatewayRecords().knows("home"))
    }

    @Test mutating func devicesOfAnAgentShareItsInbox() {
        records.take(.example("n1", to: "tablet"), .example("n2", to: "laptop"), .example("n3", to: "phone"))
        #expect(records.inbox("home") == ["n1", "n3"])
        #expect(records.inbox("away") == ["n2"])
    }

    @Test mutating func laterDeviceOfAnAgentLeavesItsInbox() {
        records.take(.example("n1"))
        records.register("watch", topics: ["clowns"], secret: "home")
        records.take(.example("n2", to: "watch"), as: "later")
        #expect(records.inbox("home") == ["n1", "n2"])
    }

    @Test mutating func registeringAgainKeepsTheInbox() {
        records.take(.example("n1"), .example("n2", to: "phone"))
        records.register("tablet", topics: ["clowns", "notes"], secret: "home")
        #expect(records.inbox("home") == ["n1", "n2"])
        #expect(records.states() == [.stored: 2])
    }

    @Test mutating func registeringAgainReplacesTheTopics() {
        records.take(.example("n1", for: "clowns"))
        records.register("tablet", topics: ["photos"], secret: "home")
        #expect(refusal("tablet", "clowns") == .wrongTopic)
        #expect(refusal("tablet", "photos") == nil)
        #expect(refusal("phone", "clowns") == nil)
    }

    @Test mutating func whatIsStoredOutlivesItsTopic() {
        records.take(.example("n1", for: "clowns"))
        records.register("tablet", topics: ["photos"], secret: "home")
        #expect(records.inbox("home") == ["n1"])
    }
}
