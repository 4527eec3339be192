import PushRules
import Testing
import WaypostSchema

/// The topics of tokens for a purpose.
@Suite struct TokenPurposeTests {
    private static let app: BundleIdentifier = "com.example.clowntown"

    @Test(
        arguments: [
            (.app, "com.example.clowntown"), (.voip, "com.example.clowntown.voip"),
            (.pushToTalk, "com.example.clowntown.voip-ptt"), (.location, "com.example.clowntown.location-query"),
            (.fileProvider, "com.example.clowntown.pushkit.fileprovider"),
            (.complication, "com.example.clowntown.complication"),
            (.pushToStart, "com.example.clowntown.push-type.liveactivity"),
            (.liveActivity, "com.example.clowntown.push-type.liveactivity"),
            (.widgets, "com.example.clowntown.push-type.widgets"),
            (.control, "com.example.clowntown.push-type.controls"),
        ] as [(TokenPurpose.Kind, Topic)]
    )
    func kindHasOneTopic(_ kind: TokenPurpose.Kind, _ topic: Topic) {
        let purpose = TokenPurpose(kind, of: Self.app)
        #expect(purpose.topic == topic)
        #expect(purpose.problem(with: [topic]) == nil)
        #expect(purpose.problem(with: []) != nil)
        #expect(purpose.problem(with: [topic, "com.example.clowntown.other"]) != nil)
    }

    @Test(
        arguments: [
            (.voip, "com.example.clowntown.voip", nil, true), (.voip, "com.example.clowntown", nil, false),
            (.app, "com.example.clowntown", "start", true),
            (.pushToStart, "com.example.clowntown.push-type.liveactivity", "start", true),
            (.pushToStart, "com.example.clowntown.push-type.liveactivity", "update", false),
            (.pushToStart, "com.example.clowntown.push-type.liveactivity", nil, false),
            (.liveActivity, "com.example.clowntown.push-type.liveactivity", "start", false),
            (.liveActivity, "com.example.clowntown.push-type.liveactivity", "end", true),
            (.liveActivity, "com.example.tv.push-type.liveactivity", "end", false),
        ] as [(TokenPurpose.Kind, Topic, String?, Bool)]
    )
    func topicAndEventDecideForWhichNotificationsATokenIs(
        _ kind: TokenPurpose.Kind,
        _ topic: Topic,
        event: String?,
        isFor: Bool
    ) {
        var aps: [String: JSONValue] = [:]
        if let event { aps["event"] = .string(event) }
        let payload = JSONValue.object(["aps": .object(aps)])
        #expect(TokenPurpose(kind, of: Self.app).isFor(topic, payload: payload) == isFor)
    }

    @Test func everyKindHasATopic() {
        let topics = TokenPurpose.Kind.allCases.map { TokenPurpose($0, of: Self.app).topic }
        // Both kinds of Live Activities share theirs.
        #expect(Set(topics).count == topics.count - 1)
    }

    @Test(
        arguments: [
            (
                ["com.example.tv.voip"],
                "'purpose.app' is com.example.clowntown, but 'topics' has com.example.tv.voip, which is not a topic of "
                    + "that app"
            ),
            (
                ["com.example.clowntown.voip", "waypost.messages"],
                "'purpose.app' is com.example.clowntown, but 'topics' has waypost.messages, which is not a topic of "
                    + "that app"
            ),
            (
                ["com.example.clowntown", "com.example.clowntown.voip"],
                "'topics' must be only com.example.clowntown.voip, the topic of the VoIP token of "
                    + "com.example.clowntown ('purpose.kind' voip); it has com.example.clowntown, "
                    + "com.example.clowntown.voip"
            ),
            (
                [],
                "'topics' must be only com.example.clowntown.voip, the topic of the VoIP token of "
                    + "com.example.clowntown ('purpose.kind' voip); it has none"
            ),
        ] as [([Topic], String)]
    )
    func problemNamesTheField(_ topics: [Topic], _ problem: String) {
        #expect(TokenPurpose(.voip, of: Self.app).problem(with: topics) == problem)
    }

    @Test func titleNamesTheKindTheAppAndTheDetail() {
        let purpose = TokenPurpose(.pushToStart, of: "com.example.tv", name: "MatchAttributes")
        #expect(purpose.title == "the push-to-start token of com.example.tv (MatchAttributes)")
    }
}
