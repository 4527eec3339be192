import WaypostSchema

/// An enumeration with a fixed set of names; other names are refused.
protocol ClosedSet: RawRepresentable<String>, Codable, Equatable, Sendable {
    static var everyCase: [Self] { get }
}

extension ClosedSet where Self: CaseIterable {
    static var everyCase: [Self] { Array(allCases) }
}

/// A closed set that cannot list its cases.
///
/// Its `switch` over them does not compile if a case is missing.
protocol ChainedCases: ClosedSet {
    static var first: Self { get }

    /// The next case, or `nil` after the last one.
    var next: Self? { get }
}

extension ChainedCases {
    static var everyCase: [Self] { Array(sequence(first: first, next: \.next)) }
}

extension DeliveryState: ClosedSet {}
extension BatchStatus.Phase: ClosedSet {}
extension TokenStanding: ClosedSet {}
extension TokenPurpose.Kind: ClosedSet {}
extension LifeCycle: ClosedSet {}
extension AppDelegateMethod: ClosedSet {}
extension SceneDelegateMethod: ClosedSet {}
extension CenterDelegateMethod: ClosedSet {}
extension ViewMethod: ClosedSet {}
extension AppIntentMethod: ClosedSet {}
extension DelegateSetting: ClosedSet {}
extension StartOption: ClosedSet {}
extension Practice: ClosedSet {}
extension EventCause: ClosedSet {}
extension HandoffError: ClosedSet {}
extension InitialState: ClosedSet {}
extension StorageMode: ClosedSet {}
extension AppSigning: ClosedSet {}
extension PushEnvironment: ClosedSet {}
extension SendFault.Kind: ClosedSet {}
extension ConnectionFault.Kind: ClosedSet {}
extension ProviderProtocol: ClosedSet {}
extension ProviderConnectionEvent.Kind: ClosedSet {}
extension ClockReading.Source: ClosedSet {}
extension SceneState: ClosedSet {}
extension WindowLayout: ClosedSet {}
extension SceneDeclaration.Kind: ClosedSet {}
extension SceneQuery.Carrier: ClosedSet {}
extension SceneSubject.Source: ClosedSet {}
extension LinkDecision.Outcome: ClosedSet {}
extension LinkDecision.Reason: ClosedSet {}
extension FindingSeverity: ClosedSet {}
extension InterruptionLevel: ClosedSet {}
extension NotificationAuthorization: ClosedSet {}
extension NotificationGate: ClosedSet {}
extension NotificationDecision.Presentation: ClosedSet {}
extension AppCall.Function: ClosedSet {}
extension AppCallResult.FetchResult: ClosedSet {}
extension PresentationOption: ClosedSet {}
extension NotificationAction.Option: ClosedSet {}
extension BackgroundMode: ClosedSet {}
extension PushReceiver: ClosedSet {}
extension LocationAuthorization: ClosedSet {}
extension LaunchDecision.Outcome: ClosedSet {}
extension LiveActivity.State: ClosedSet {}
extension LiveActivityDecision.Outcome: ClosedSet {}
extension RunKind: ClosedSet {}
extension ProviderTrialResult.Outcome: ClosedSet {}
extension RunOutcome: ClosedSet {}
extension RunStep.State: ClosedSet {}
extension RunEvent.Kind: ClosedSet {}
extension AssociationFinding.Code: ClosedSet {}
extension AssociationFailure.Code: ClosedSet {}
extension HighlightsState: ClosedSet {}
extension CurationGapReason: ClosedSet {}
extension FirstPlaceGap: ClosedSet {}
extension DisplayContext: ClosedSet {}
extension HighlightChange.Kind: ClosedSet {}
extension HighlightError.Code: ClosedSet {}
extension HighlightError.Reason: ClosedSet {}
extension SurfacingGate: ClosedSet {}
extension GateVerdict.Status: ClosedSet {}
extension HighlightRank.Section: ClosedSet {}
extension ScoreTerm.Signal: ClosedSet {}
extension OfferAnswer: ClosedSet {}
extension OfferDecision.Reason: ClosedSet {}
extension ConsentRule: ClosedSet {}
extension ConsentRecord.Kind: ClosedSet {}
extension DeviceEvent.Kind: ClosedSet {}
extension DeviceEffect.Kind: ClosedSet {}
extension IgnoredEvent.Reason: ClosedSet {}
extension ContentSizeCategory: ClosedSet {}
extension AttributionPreferences.HorizontalAlignment: ClosedSet {}
extension ContentMenu.Placement: ClosedSet {}
extension AttributionPreferences.BackgroundStyle: ClosedSet {}
extension AttributionFinding.Code: ClosedSet {}
extension AttributionReport.Outcome: ClosedSet {}
extension AttributionReport.Step: ClosedSet {}
extension PresentationNotice.State: ClosedSet {}
extension AppEvent.Kind: ClosedSet {}
extension DetachReason: ClosedSet {}
extension OpenedURL.Destination: ClosedSet {}
extension SceneChange.State: ClosedSet {}
extension SceneDeparture.State: ClosedSet {}

extension SceneDecision.Outcome: ChainedCases {
    static var first: Self { .activate }

    var next: Self? {
        switch self {
        case .activate: .create
        case .create: .nothing
        case .nothing: nil
        }
    }
}

extension SceneDecision.Reason: ChainedCases {
    static var first: Self { .prefers }

    var next: Self? {
        switch self {
        case .prefers: .can
        case .can: .noneCan
        case .noneCan: .noIdentifier
        case .noIdentifier: .singleScene
        case .singleScene: nil
        }
    }
}

extension SceneDecision.TieBreak: ChainedCases {
    static var first: Self { .state }

    var next: Self? {
        switch self {
        case .state: .recency
        case .recency: .identifier
        case .identifier: nil
        }
    }
}

extension ContentPredicateError.Code: ChainedCases {
    static var first: Self { .syntax }

    var next: Self? {
        switch self {
        case .syntax: .forbidden
        case .forbidden: .evaluation
        case .evaluation: nil
        }
    }
}
