import Testing
import WaypostSchema

/// A type of the schema whose values are JSON objects, erased so that one test covers all types.
struct WireType: CustomTestStringConvertible {
    typealias Value = Codable & Equatable & Sendable

    let type: any Value.Type

    /// The name of the type: the same in Swift, in the schema and for the vectors.
    var name: String { String(describing: type) }

    var testDescription: String { name }

    func decode(_ text: String) throws -> any Value {
        try type.init(json: text)
    }

    func decode(from decoder: any Decoder) throws -> any Value {
        try type.init(from: decoder)
    }
}

extension WireType {
    static let all = types.map(WireType.init(type:))

    private static let types: [any Value.Type] = [
        APIError.self,
        APIErrorBody.self,
        Acknowledgement.self,
        AcknowledgementReceipt.self,
        ActivationConditions.self,
        ActivityHandoff.self,
        AgentAnnouncement.self,
        AgentReadyFile.self,
        AppCredential.self,
        AppDescription.self,
        AppEvent.self,
        AppSettings.self,
        AppSettingsChange.self,
        AppStatus.self,
        AssociationAnswer.self,
        AssociationFailure.self,
        AssociationFileStatus.self,
        AssociationFinding.self,
        AssociationQuestion.self,
        AttributionFinding.self,
        AttributionPreferences.self,
        AttributionReport.self,
        AttributionRequest.self,
        AttributionView.self,
        BatchItem.self,
        BatchReceipt.self,
        BatchStatus.self,
        ChosenMenuItem.self,
        ClockAdvance.self,
        ClockReading.self,
        ConditionTrace.self,
        ConnectedScene.self,
        ConsentRecord.self,
        ConsentVerdict.self,
        Contact.self,
        ContentPlace.self,
        Conversation.self,
        DecidingPredicate.self,
        DeliveredNotification.self,
        DeliveryStep.self,
        DeviceCreation.self,
        DeviceCredential.self,
        DeviceDescription.self,
        DeviceEffect.self,
        DeviceEvent.self,
        DeviceFork.self,
        DeviceNotification.self,
        DevicePage.self,
        DevicePower.self,
        DeviceReaction.self,
        DeviceRegistration.self,
        DeviceReset.self,
        DeviceStatus.self,
        DeviceChannels.self,
        DeviceTopics.self,
        DisambiguationMenu.self,
        FoundLink.self,
        GateVerdict.self,
        GatewayReadyFile.self,
        HandedActivity.self,
        Health.self,
        Highlight.self,
        HighlightChange.self,
        HighlightError.self,
        HighlightPage.self,
        HighlightRank.self,
        HighlightsUpdate.self,
        IgnoredEvent.self,
        InboxEntry.self,
        InboxPage.self,
        InboxPurge.self,
        ItemResult.self,
        JournalEntry.self,
        JournalPage.self,
        LayoutSize.self,
        LinkDecision.self,
        LinkExplanation.self,
        LinkPreview.self,
        LinkRuleTrace.self,
        LinkedAgent.self,
        LinkedAgentList.self,
        ListedDevice.self,
        MenuItem.self,
        Message.self,
        MessageRecipient.self,
        MessageVerdict.self,
        NamespaceSummary.self,
        NotificationFinding.self,
        NotificationPage.self,
        NotificationRecord.self,
        NotificationResponse.self,
        OfferDecision.self,
        OfferedActivity.self,
        OpenStream.self,
        OpenedNotification.self,
        OpenedScene.self,
        OpenedURL.self,
        PackagedPredicate.self,
        PayloadFinding.self,
        PayloadReport.self,
        Person.self,
        PredicateAnswer.self,
        ContentPredicateError.self,
        PredicateQuery.self,
        PresentationNotice.self,
        PresentedConversation.self,
        ProviderKey.self,
        RankedHighlight.self,
        RegisteredDevice.self,
        RelayedRequest.self,
        SceneActivation.self,
        SceneChange.self,
        SceneDecision.self,
        SceneDeparture.self,
        SceneQuery.self,
        SceneRequest.self,
        SceneSession.self,
        SceneSubject.self,
        SceneTrace.self,
        ScoreTerm.self,
        ScriptedFault.self,
        SendFault.self,
        SenderReport.self,
        SharedConversation.self,
        SharedLink.self,
        Sharer.self,
        SharingScope.self,
        ShelfReport.self,
        ShortcutItem.self,
        SnapshotRequest.self,
        StreamDevice.self,
        StreamEnd.self,
        StreamPage.self,
        TokenRotation.self,
        TokenStandingChange.self,
        URLToOpen.self,
        UserActivity.self,
    ]
}

extension Equatable {
    /// Returns whether `other` has the same type and is equal.
    func isEqual(to other: any Equatable) -> Bool {
        other as? Self == self
    }
}
