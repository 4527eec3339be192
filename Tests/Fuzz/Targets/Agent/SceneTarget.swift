import Foundation
import JSONScanning
import PredicateFormat
import Targeting
import WaypostSchema

extension FuzzTarget {
    /// Choices, a query, an array of scenes, an array of declarations, and the values of an app, as JSON.
    static let scenes = FuzzTarget(
        name: "scenes",
        summary: "scene selection; the first rule that applies decides, in any order of the scenes"
    ) { bytes in
        var input = SeparatedInput(bytes)
        var choices = input.nextChoices()
        guard let query = try? DocumentDecoder.decode(SceneQuery.self, from: input.next()) else { return }
        let sessions = (try? DocumentDecoder.decode([SceneSession].self, from: input.next())) ?? []
        let declarations = try? DocumentDecoder.decode([SceneDeclaration].self, from: input.next())
        let values = try? DocumentDecoder.decode([String: JSONValue].self, from: input.next())
        let rules = SelectionRules(
            supportsMultipleScenes: !choices.bool(),
            prefersOnlyAmongCapable: choices.bool(),
            focusPrefix: choices.bool() ? input.nextText() : nil,
            declarations: declarations ?? []
        )
        SceneQuestion(query, sessions, rules, values: values ?? [:]).check()
    }
}

/// A question to scene selection, whose scenes have unusable conditions replaced by the default ones.
private struct SceneQuestion {
    private let query: SceneQuery
    private let rules: SelectionRules
    private var candidates: [SceneCandidate] = []

    init(_ query: SceneQuery, _ sessions: [SceneSession], _ rules: SelectionRules, values: [String: JSONValue]) {
        (self.query, self.rules) = (query, rules)
        var names: Set<SceneIdentifier> = []
        for session in sessions.prefix(16) where names.insert(session.persistentIdentifier).inserted {
            candidates.append(Self.candidate(session, values))
        }
    }

    private static func candidate(_ session: SceneSession, _ values: [String: JSONValue]) -> SceneCandidate {
        var candidate = SceneCandidate(identifier: session.persistentIdentifier, state: session.state)
        (candidate.role, candidate.lastActivated) = (session.role, session.lastActivated)
        do throws(ConditionError) {
            let packaged = try session.activationConditions.packaged(with: values)
            try candidate.setConditions(packaged)
            checkPackaging(of: packaged, candidate.conditions)
        } catch {
            promise(!"\(error)".isEmpty, "a condition that is refused has a reason", found: error)
            promise(candidate.conditions == CompiledConditions(), "a scene keeps its conditions after an error")
        }
        return candidate
    }

    /// Checks that packaged conditions stay what they are, when they are packaged, sent or stored again.
    private static func checkPackaging(of packaged: ActivationConditions, _ compiled: CompiledConditions) {
        let again = try? CompiledConditions(packaged.packaged())
        promise(again == compiled, "conditions are packaged once", found: again as Any)
        let sent = (try? JSONEncoder().encode(compiled)).flatMap {
            try? DocumentDecoder.decode(CompiledConditions.self, from: $0)
        }
        promise(sent == compiled, "sent conditions are the same", found: sent as Any)
    }

    func check() {
        let decision = SceneSelection.select(for: query, among: candidates, rules: rules)
        checkOrder(decision)
        checkWinner(decision)
        checkRule(decision)
        let sent = (try? JSONEncoder().encode(decision)).flatMap {
            try? DocumentDecoder.decode(SceneDecision.self, from: $0)
        }
        promise(sent == decision, "a sent decision is the same", found: sent as Any)
        promise(!decision.explanation.isEmpty, "a decision has an explanation", found: decision)
        if let choice = DeclarationChoice(for: query, by: rules) {
            promise(!choice.explanation.isEmpty, "a declaration is chosen for a reason", found: choice)
        }
    }

    private func checkOrder(_ decision: SceneDecision) {
        let other = SceneSelection.select(for: query, among: candidates.reversed(), rules: rules)
        promise(other == decision, "the order of the scenes does not matter", found: (decision, other))
    }

    private func checkWinner(_ decision: SceneDecision) {
        let winners = decision.trace.indices.filter { decision.trace[$0].won }
        promise(
            winners == (decision.outcome == .activate ? [0] : []),
            "only the first scene of the trace can win",
            found: decision
        )
        promise(
            decision.scene == winners.first.map { decision.trace[$0].scene },
            "the chosen scene is the winner",
            found: decision
        )
    }

    /// Checks that the first rule that applies has decided.
    private func checkRule(_ decision: SceneDecision) {
        let windows = candidates.filter { $0.role == .windowApplication }
        switch decision.reason {
        case .singleScene:
            promise(!rules.supportsMultipleScenes, "only an app with one scene has no choice", found: decision)
        case .noIdentifier: promise(decision.subject == nil, "conditions need a subject", found: decision)
        case .prefers, .can, .noneCan:
            guard let text = decision.subject?.text else { return promise(false, "a condition has a subject") }
            let answers = windows.map { scene in
                (can: holds(scene.conditions.can, text), prefers: holds(scene.conditions.prefers, text))
            }
            let isPreferred = answers.contains { $0.prefers && ($0.can || !rules.prefersOnlyAmongCapable) }
            let reason: SceneDecision.Reason =
                isPreferred ? .prefers : answers.contains(where: \.can) ? .can : .noneCan
            promise(decision.reason == reason, "the first rule that applies decides", found: decision)
            promise(
                (decision.outcome == .activate) == (reason != .noneCan),
                "a scene is activated if it can display the content",
                found: decision
            )
        }
    }

    /// Returns whether a condition holds; one that cannot be evaluated does not.
    private func holds(_ condition: ContentPredicate, _ text: String) -> Bool {
        (try? condition.evaluate(with: text)) ?? false
    }
}
