import Testing
import WaypostSchema

@testable import SceneCallbacks

/// The form of the tables: a rule for everything, and a source for each rule.
@Suite struct RuleTableTests {
    @Test(arguments: LifeCycle.allCases) func everyCauseHasOneRow(_ lifeCycle: LifeCycle) {
        let causes = CauseRule.all.filter { $0.lifeCycles.contains(lifeCycle) }.map(\.cause)
        #expect(causes.map(\.rawValue).sorted() == EventCause.allCases.map(\.rawValue).sorted())
    }

    @Test(arguments: CauseRule.all) func everyStateIsInOneCell(_ rule: CauseRule) {
        for state in InitialState.allCases {
            #expect(rule.cells.filter { $0.states.contains(state) }.count == 1, "\(state)")
        }
    }

    @Test(arguments: LifeCycle.allCases, EventEffect.allCases)
    func everyStateIsInOneRow(_ lifeCycle: LifeCycle, effect: EventEffect) {
        let rules = StateRule.all.filter { $0.lifeCycles.contains(lifeCycle) && $0.effects.contains(effect) }
        for state in InitialState.allCases {
            #expect(rules.filter { $0.states.contains(state) }.count == 1, "\(state)")
        }
    }

    @Test(arguments: StateRule.all) func everyPlaceIsInARowOnce(_ rule: StateRule) {
        guard case .calls(let elements, _) = rule.outcome else { return }
        let places = elements.compactMap { element -> CallPlace? in
            if case .event(let place) = element { place } else { nil }
        }
        #expect(places == CallPlace.allCases)
    }

    @Test func everyRuleHasASource() {
        let sources = CallbackSource.ofAllRules
        #expect(sources.count > 200)
        for source in sources { #expect(source.isComplete, "\(source)") }
    }

    @Test func everyAbsentCallAndEveryImpossibleCellHasAReason() {
        for cell in MatrixCell.all {
            let sequence = cell.sequence()
            if case .cannotHappen(let reason) = sequence.outcome {
                #expect(!reason.isEmpty && reason != "there is no rule", "\(cell.testDescription)")
            }
            for call in sequence.notCalled { #expect(!call.reason.isEmpty, "\(cell.testDescription)") }
        }
    }

    @Test func marksSayHowGoodASourceIs() {
        let sources: [CallbackSource] = [.documented("a page"), .observed(2, "two issues"), .inferred, .ours]
        #expect(sources.map(\.mark) == SourceMark.allCases)
        #expect(sources.map(\.reportCount) == [0, 2, 0, 0])
    }

    @Test(
        arguments: [
            (.scene(.willConnect), 13), (.scene(.restoreInteractionState), 15), (.scene(.willPerformAppIntent), 26),
            (.view(.onOpenURL), 14), (.view(.onAppIntentExecution), 26), (.intent(.perform), 16),
            (.intent(.performNavigation), 26), (.app(.configurationForConnecting), 13), (.center(.didReceive), 10),
        ] as [(Callback, Int)]
    )
    func methodIsAsOldAsItsDocumentationSays(_ callback: Callback, _ version: Int) {
        #expect(callback.since == version)
    }
}

extension CallbackSource {
    /// Whether the source names a page or reports, unless it is a conclusion.
    fileprivate var isComplete: Bool {
        switch self {
        case .documented(let title): !title.isEmpty
        case .observed(let count, let reports): count > 0 && !reports.isEmpty
        case .inferred, .ours: true
        }
    }
}
