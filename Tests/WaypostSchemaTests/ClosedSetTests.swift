import Testing
import WaypostSchema

/// A closed set has exactly the names of the schema.
@Suite struct ClosedSetTests {
    struct Case: CustomTestStringConvertible {
        var type: any ClosedSet.Type
        var definition: String
        var property: String?

        var testDescription: String { property.map { "\(definition).\($0)" } ?? definition }
    }

    static let cases = [
        Case(type: DeliveryState.self, definition: "DeliveryState"),
        Case(type: BatchStatus.Phase.self, definition: "BatchStatus", property: "phase"),
        Case(type: TokenStanding.self, definition: "TokenStanding"),
        Case(type: TokenPurpose.Kind.self, definition: "TokenPurposeKind"),
        Case(type: StorageMode.self, definition: "StorageMode"),
        Case(type: AppSigning.self, definition: "AppSigning"),
        Case(type: PushEnvironment.self, definition: "PushEnvironment"),
        Case(type: SendFault.Kind.self, definition: "SendFault", property: "kind"),
        Case(type: SendFault.Kind.self, definition: "ProviderRequestRecord", property: "fault"),
        Case(type: ConnectionFault.Kind.self, definition: "ConnectionFault", property: "kind"),
        Case(type: ProviderProtocol.self, definition: "ProviderProtocol"),
        Case(type: ProviderConnectionEvent.Kind.self, definition: "ProviderConnectionEvent", property: "kind"),
        Case(type: ClockReading.Source.self, definition: "ClockReading", property: "clock"),
        Case(type: SceneState.self, definition: "SceneState"),
        Case(type: LifeCycle.self, definition: "LifeCycle"),
        Case(type: AppDelegateMethod.self, definition: "AppDelegateMethod"),
        Case(type: SceneDelegateMethod.self, definition: "SceneDelegateMethod"),
        Case(type: CenterDelegateMethod.self, definition: "CenterDelegateMethod"),
        Case(type: ViewMethod.self, definition: "ViewMethod"),
        Case(type: AppIntentMethod.self, definition: "AppIntentMethod"),
        Case(type: DelegateSetting.self, definition: "DelegateSetting"),
        Case(type: StartOption.self, definition: "StartOption"),
        Case(type: Practice.self, definition: "Practice"),
        Case(type: EventCause.self, definition: "EventCause"),
        Case(type: HandoffError.self, definition: "HandoffError"),
        Case(type: InitialState.self, definition: "InitialState"),
        Case(type: WindowLayout.self, definition: "WindowLayout"),
        Case(type: SceneDeclaration.Kind.self, definition: "SceneDeclaration", property: "kind"),
        Case(type: SceneDecision.Outcome.self, definition: "SceneDecision", property: "outcome"),
        Case(type: SceneDecision.Reason.self, definition: "SceneDecision", property: "reason"),
        Case(type: SceneDecision.TieBreak.self, definition: "SceneDecision", property: "tieBreak"),
        Case(type: SceneQuery.Carrier.self, definition: "SceneQuery", property: "carrier"),
        Case(type: SceneSubject.Source.self, definition: "SceneSubject", property: "source"),
        Case(type: ContentPredicateError.Code.self, definition: "ContentPredicateError", property: "code"),
        Case(type: LinkDecision.Outcome.self, definition: "LinkDecision", property: "outcome"),
        Case(type: LinkDecision.Reason.self, definition: "LinkDecision", property: "reason"),
        Case(type: FindingSeverity.self, definition: "AssociationFinding", property: "severity"),
        Case(type: FindingSeverity.self, definition: "ItemFinding", property: "severity"),
        Case(type: FindingSeverity.self, definition: "NotificationFinding", property: "severity"),
        Case(type: FindingSeverity.self, definition: "PayloadFinding", property: "severity"),
        Case(type: InterruptionLevel.self, definition: "InterruptionLevel"),
        Case(type: NotificationAuthorization.self, definition: "NotificationAuthorization"),
        Case(type: NotificationGate.self, definition: "NotificationGate"),
        Case(type: PushReceiver.self, definition: "PushReceiver"),
        Case(type: LocationAuthorization.self, definition: "LocationAuthorization"),
        Case(type: NotificationDecision.Presentation.self, definition: "NotificationPresentation"),
        Case(type: GateVerdict.Status.self, definition: "NotificationVerdict", property: "status"),
        Case(type: AppCall.Function.self, definition: "AppCallFunction"),
        Case(type: AppCallResult.FetchResult.self, definition: "FetchResult"),
        Case(type: PresentationOption.self, definition: "PresentationOption"),
        Case(type: NotificationAction.Option.self, definition: "NotificationActionOption"),
        Case(type: BackgroundMode.self, definition: "BackgroundMode"),
        Case(type: LaunchDecision.Outcome.self, definition: "LaunchOutcome"),
        Case(type: LiveActivity.State.self, definition: "LiveActivityState"),
        Case(type: LiveActivityDecision.Outcome.self, definition: "LiveActivityOutcome"),
        Case(type: RunKind.self, definition: "RunKind"),
        Case(type: ProviderTrialResult.Outcome.self, definition: "ProviderTrialResult", property: "outcome"),
        Case(type: RunOutcome.self, definition: "RunOutcome"),
        Case(type: RunStep.State.self, definition: "RunStep", property: "state"),
        Case(type: RunEvent.Kind.self, definition: "RunEvent", property: "type"),
        Case(type: AssociationFinding.Code.self, definition: "AssociationFinding", property: "code"),
        Case(type: AssociationFailure.Code.self, definition: "AssociationFailure", property: "code"),
        Case(type: HighlightsState.self, definition: "HighlightsState"),
        Case(type: CurationGapReason.self, definition: "CurationGapReason"),
        Case(type: FirstPlaceGap.self, definition: "FirstPlaceGap"),
        Case(type: DisplayContext.self, definition: "DisplayContext"),
        Case(type: HighlightChange.Kind.self, definition: "HighlightChange", property: "change"),
        Case(type: HighlightError.Code.self, definition: "HighlightError", property: "code"),
        Case(type: HighlightError.Reason.self, definition: "HighlightError", property: "reason"),
        Case(type: SurfacingGate.self, definition: "SurfacingGate"),
        Case(type: GateVerdict.Status.self, definition: "GateVerdict", property: "status"),
        Case(type: HighlightRank.Section.self, definition: "HighlightRank", property: "section"),
        Case(type: ScoreTerm.Signal.self, definition: "ScoreTerm", property: "signal"),
        Case(type: OfferAnswer.self, definition: "OfferAnswer"),
        Case(type: OfferDecision.Reason.self, definition: "OfferDecision", property: "reason"),
        Case(type: ConsentRule.self, definition: "ConsentRule"),
        Case(type: ConsentRecord.Kind.self, definition: "ConsentRecord", property: "kind"),
        Case(type: DeviceEvent.Kind.self, definition: "DeviceEvent", property: "type"),
        Case(type: DeviceEffect.Kind.self, definition: "DeviceEffect", property: "type"),
        Case(type: IgnoredEvent.Reason.self, definition: "IgnoredEvent", property: "reason"),
        Case(type: ContentSizeCategory.self, definition: "ContentSizeCategory"),
        Case(
            type: AttributionPreferences.HorizontalAlignment.self,
            definition: "AttributionPreferences",
            property: "horizontalAlignment"
        ),
        Case(type: ContentMenu.Placement.self, definition: "ContentMenu", property: "placement"),
        Case(type: AttributionPreferences.BackgroundStyle.self, definition: "BackgroundStyle"),
        Case(type: AttributionFinding.Code.self, definition: "AttributionFinding", property: "code"),
        Case(type: AttributionReport.Outcome.self, definition: "AttributionReport", property: "outcome"),
        Case(type: AttributionReport.Step.self, definition: "AttributionReport", property: "step"),
        Case(type: PresentationNotice.State.self, definition: "PresentationNotice", property: "state"),
        Case(type: AppEvent.Kind.self, definition: "AppEvent", property: "type"),
        Case(type: DetachReason.self, definition: "DetachReason"),
        Case(type: OpenedURL.Destination.self, definition: "OpenedURL", property: "destination"),
        Case(type: SceneChange.State.self, definition: "SceneChange", property: "state"),
        Case(type: SceneDeparture.State.self, definition: "SceneDeparture", property: "state"),
    ]

    @Test(arguments: cases)
    func casesAreThoseOfTheSchema(_ example: Case) throws {
        let definition = try #require(try Schema.current().definitions[example.definition])
        let place = example.property.map { definition["properties"]?[$0] } ?? definition
        let names = try #require(place?["enum"]).strings
        #expect(Self.names(of: example.type) == names)
    }

    @Test(arguments: cases)
    func everyNameSurvivesCoding(_ example: Case) throws {
        for name in Self.names(of: example.type) {
            let text = try name.json()
            #expect(try example.type.init(json: text).json() == text)
        }
    }

    @Test(arguments: cases, ["", "clownOnBreak", "ACTIVATE", "stored "])
    func unknownNameIsRefused(_ example: Case, _ name: String) throws {
        let text = try name.json()
        #expect(throws: DecodingError.self) { try example.type.init(json: text) }
    }

    @Test func everyEnumerationOfTheSchemaIsAClosedSet() throws {
        let schema = try Schema.current()
        let places = schema.definitions.flatMap { name, definition in
            (definition["enum"] == nil ? [] : [name])
                + (definition["properties"]?.members ?? [:]).filter { $0.value["enum"] != nil }
                .map { "\(name).\($0.key)" }
        }
        #expect(places.sorted() == Self.cases.map(\.testDescription).sorted())
    }

    static func names(of type: (some ClosedSet).Type) -> [String] {
        type.everyCase.map(\.rawValue)
    }
}
