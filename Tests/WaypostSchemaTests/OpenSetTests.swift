import Testing
import WaypostSchema

/// An identifier is any string, and stays unchanged.
@Suite struct OpenSetTests {
    /// The types with a definition in the schema.
    static let types: [any StringIdentifier.Type] = [
        BearerSecret.self,
        ApplicationIdentifier.self,
        AttributionViewID.self,
        BatchID.self,
        BundleIdentifier.self,
        CollapseIdentifier.self,
        ContactID.self,
        ContentKey.self,
        ConversationID.self,
        DeviceToken.self,
        Durability.self,
        AgentLinkID.self,
        RunID.self,
        FaultID.self,
        Handle.self,
        HighlightID.self,
        MenuItemID.self,
        MessageID.self,
        Namespace.self,
        NotificationID.self,
        PushType.self,
        RejectionReason.self,
        SceneIdentifier.self,
        SceneRole.self,
        SystemVersion.self,
        TargetContentIdentifier.self,
        ChannelID.self,
        ProviderKeyID.self,
        TeamID.self,
        Topic.self,
        TraceParent.self,
    ]

    private static let nested: [any StringIdentifier.Type] = [APIError.Code.self, StreamEnd.Reason.self]

    @Test(arguments: types + nested, ["ClownOnBreak", "", "größer/\"花\" 🤡", "e\u{301}"])
    func unknownNameSurvivesCoding(_ type: any StringIdentifier.Type, _ name: String) throws {
        let text = try name.json()
        let identifier = try type.init(json: text)
        #expect(Array(identifier.rawValue.utf8) == Array(name.utf8))
        #expect(try identifier.json() == text)
    }

    @Test(arguments: types + nested, ["17", "null", "true", "{}", #"{"rawValue":"a"}"#, #"["a"]"#])
    func otherValueThanAStringIsRefused(_ type: any StringIdentifier.Type, _ text: String) {
        #expect(throws: DecodingError.self) { try type.init(json: text) }
    }

    @Test(arguments: types)
    func schemaAllowsAnyString(_ type: any StringIdentifier.Type) throws {
        let definition = try #require(try Schema.current().definitions[String(describing: type)])
        #expect(definition.members.keys.filter { !["description", "examples"].contains($0) } == ["type"])
        #expect(definition["type"]?.string == "string")
    }

    @Test func literalCreatesAnIdentifier() {
        let topic: Topic = "com.example.clowntown"
        #expect(topic == Topic(rawValue: "com.example.clowntown"))
        #expect(topic.description == "com.example.clowntown")
    }

    @Test func schemaNamesTheKnownRejectionReasons() throws {
        let known: [RejectionReason] = [
            .badCollapseId, .badDeviceToken, .badExpirationDate, .badMessageId, .badPriority, .badRequestPayload,
            .deviceTokenNotForTopic, .expiredToken, .invalidPushType, .missingDeviceToken, .missingTopic, .payloadEmpty,
            .payloadTooLarge, .unregistered,
        ]
        #expect(try Schema.current().definitions["RejectionReason"]?["examples"]?.strings == known.map(\.rawValue))
    }

    @Test func schemaNamesTheKnownDurabilities() throws {
        let known: [Durability] = [.memory, .fsync]
        #expect(try Schema.current().definitions["Durability"]?["examples"]?.strings == known.map(\.rawValue))
    }
}
