import SceneCallbacks
import Testing
import WaypostSchema

/// Each life cycle, cause and state has calls, or cannot happen.
@Suite struct MatrixTests {
    @Test(arguments: MatrixCell.all) func cellHasCallsOrCannotHappen(_ cell: MatrixCell) {
        let sequence = cell.sequence()
        switch sequence.outcome {
        case .calls(let steps, _): #expect(!steps.isEmpty || cell.isUnreceivable)
        case .cannotHappen: #expect(sequence.steps.isEmpty && sequence.fate == .noEvent)
        }
    }

    @Test(arguments: MatrixCell.all) func noMethodIsCalledTwiceForAScene(_ cell: MatrixCell) {
        let calls = cell.sequence().steps.map { "\($0.callback.name) \($0.scene?.rawValue ?? "")" }
        #expect(Set(calls).count == calls.count)
    }

    @Test(arguments: MatrixCell.all) func absentCallIsNotAStep(_ cell: MatrixCell) {
        let sequence = cell.sequence()
        let callbacks = Set(sequence.steps.map(\.callback))
        for call in sequence.notCalled where call.option == nil {
            #expect(!callbacks.contains(call.callback), "\(call.callback.name)")
        }
    }

    @Test(arguments: MatrixCell.all) func sceneIsActiveInTheEnd(_ cell: MatrixCell) {
        let steps = cell.sequence().steps.filter { $0.scene != .other && $0.condition == nil }
        guard cell.cause.isOpening, let last = steps.last else { return }
        #expect(last.state == .foregroundActive)
    }

    /// If the app implements everything, an event arrives, if its life cycle allows it: not never, and not twice.
    @Test(arguments: MatrixCell.all) func eventIsNeitherLostNorDoubledInACompleteApp(_ cell: MatrixCell) {
        let sequence = cell.sequence(of: .complete(cell.lifeCycle))
        #expect(sequence.fate == cell.fate(.once))
        #expect(sequence.findings.isEmpty)
        #expect(sequence.steps.allSatisfy { $0.isHandled == true })
    }

    /// An event has one call that delivers it, and at most one call in the ordinary case that repeats it.
    ///
    /// With SwiftUI, a delegate of a scene can see an activity twice, besides the views.
    @Test(arguments: MatrixCell.all) func eventIsDeliveredByOneChainOfCalls(_ cell: MatrixCell) {
        let alternatives: [CallCondition] = [.noCenterDelegate, .noIntentDelegate]
        let steps = cell.sequence(of: .complete(cell.lifeCycle)).steps
            .filter { step in step.condition.map { !alternatives.contains($0) } ?? true }
        guard !steps.isEmpty, cell.cause.hasEvent, !cell.isUnreceivable else { return }
        #expect(steps.filter { $0.part == .event }.count == 1)
        #expect(
            steps.filter { $0.part == .repetition }.count <= (cell.lifeCycle == .swiftUIWithSceneDelegate ? 2 : 1)
        )
        let order: [EventPart] = [.announcement, .event, .repetition]
        let positions = steps.compactMap(\.part).compactMap { order.firstIndex(of: $0) }
        #expect(positions == positions.sorted())
    }

    @Test(arguments: MatrixCell.all.filter(\.isUnreceivable))
    func lostEventOfACompleteAppNamesTheMissingObject(_ cell: MatrixCell) {
        let reasons = cell.sequence(of: .complete(cell.lifeCycle)).notCalled.map(\.reason)
        #expect(reasons.contains { $0.hasSuffix("has no scene delegate") || $0.hasSuffix("has no app delegate") })
    }

    /// A repetition can be removed only if the app can name the value with the first one.
    @Test(arguments: MatrixCell.all) func repeatedEventIsDoubledWithoutCare(_ cell: MatrixCell) {
        var app = AppImplementation.complete(cell.lifeCycle)
        app.deduplicates = []
        let sequence = cell.sequence(of: app)
        let isRepeated = sequence.steps.contains { $0.part == .repetition && $0.condition != .noCenterDelegate }
        #expect((sequence.fate == .twice) == isRepeated)
    }

    @Test(arguments: MatrixCell.all) func appThatImplementsNothingLosesTheEvent(_ cell: MatrixCell) {
        let app = AppImplementation(
            lifeCycle: cell.lifeCycle,
            appDelegate: [],
            sceneDelegate: [],
            notificationCenter: CenterDelegate(methods: [], setIn: .didFinishLaunching),
            views: [],
            appIntents: [],
            reads: []
        )
        let sequence = cell.sequence(of: app)
        #expect(sequence.fate == cell.fate(.lost))
        #expect(sequence.deliveries.isEmpty)
    }

    @Test(arguments: MatrixCell.all) func nothingIsKnownAboutAnAppThatSaysNothing(_ cell: MatrixCell) {
        let sequence = cell.sequence()
        #expect(sequence.steps.allSatisfy { $0.isHandled == nil })
        #expect(sequence.fate == cell.fate(.unknown))
        #expect(sequence.findings.isEmpty)
    }

    @Test(arguments: [(26, 27, true), (27, 26, true), (27, 27, false), (28, 28, false)])
    func newSDKNeedsScenes(sdk: Int, system: Int, launches: Bool) {
        let app = AppImplementation(lifeCycle: .appDelegate, sdk: sdk)
        let sequence = CallbackSequence(for: .icon, in: .notRunning, of: app, system: system)
        #expect(sequence.steps.isEmpty != launches)
    }

    @Test(arguments: [(.uiScene, 26), (.swiftUI, 26), (.appDelegate, 16)] as [(LifeCycle, Int)])
    func causeOccursOnlyInVersionsThatHaveIt(_ lifeCycle: LifeCycle, since: Int) {
        let app = AppImplementation(lifeCycle: lifeCycle)
        for (system, isPossible) in [(since - 1, false), (since, true)] {
            let sequence = CallbackSequence(for: .appIntent, in: .background, of: app, system: system)
            #expect(sequence.steps.isEmpty != isPossible)
        }
    }

    @Test(
        arguments: [
            ([.willPerformAppIntent], .scene(.willPerformAppIntent)), ([], .intent(.performNavigation)),
        ] as [([SceneDelegateMethod], Callback)]
    )
    func intentNavigatesOnlyWithoutAMethodOfTheScene(_ methods: [SceneDelegateMethod], delivery: Callback) {
        let app = AppImplementation(sceneDelegate: methods, appIntents: [.performNavigation, .perform])
        let sequence = CallbackSequence(for: .appIntent, in: .background, of: app)
        #expect(sequence.deliveries.map(\.callback) == [delivery])
        #expect(sequence.fate == .once)
    }

    @Test func callIsMadeOnlyByVersionsThatHaveIt() {
        let app = AppImplementation()
        for (system, isCalled) in [(14, false), (15, true)] {
            let sequence = CallbackSequence(for: .restoration, in: .notRunning, of: app, system: system)
            #expect(sequence.steps.contains { $0.callback == .scene(.restoreInteractionState) } == isCalled)
        }
        let oldApp = AppImplementation(lifeCycle: .appDelegate)
        let steps = CallbackSequence(for: .icon, in: .notRunning, of: oldApp).steps
        #expect(steps.allSatisfy { $0.versions.until == 26 })
    }
}

extension MatrixCell {
    /// Returns the fate of the event, `lost` if no app can receive it, or `noEvent` if there is none.
    fileprivate func fate(_ fate: EventFate) -> EventFate {
        guard case .calls = sequence().outcome, cause.hasEvent else { return .noEvent }
        return isUnreceivable ? .lost : fate
    }
}

extension EventCause {
    /// Whether the app comes to the front.
    fileprivate var isOpening: Bool {
        switch self {
        case .icon, .notificationTap, .foregroundAction, .foregroundText, .quickAction, .universalLink, .customURL,
            .document, .widgetURL, .widgetActivity, .spotlight, .cloudKitShare, .appIntent, .handoff,
            .handoffFailure, .restoration, .sceneRequest:
            true
        case .backgroundAction, .backgroundText, .dismissal, .foregroundNotification, .silentPush,
            .contentAvailablePush:
            false
        }
    }
}
