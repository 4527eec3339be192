import WaypostSchema

@testable import SceneCallbacks

/// The page docs/callbacks.md, made from the tables.
enum CallbacksDocument {
    /// The page.
    static var text: String {
        let matrices = lifeCycles.map(section)
        let rest = [delegateSettings, migration, mistakes, appFiles, openQuestions, names, sourceList]
        let sections = [introduction] + matrices + rest
        return sections.joined(separator: "\n\n") + "\n"
    }

    /// The life cycles that have a section; that of SwiftUI with scene delegates has the calls of the others.
    static let lifeCycles: [LifeCycle] = [.uiScene, .swiftUIWithSceneDelegate, .appDelegate]

    // MARK: The matrix

    /// Returns the section of a life cycle: for each effect, the calls around an event, and those with the event.
    private static func section(of lifeCycle: LifeCycle) -> String {
        let parts = EventEffect.allCases.flatMap { effect in
            [
                matrixHeading(effect), stateTable(of: effect, in: lifeCycle), "The calls with the event:",
                causeTable(of: effect, in: lifeCycle),
            ]
        }
        return ([matrixIntroduction(lifeCycle)] + parts).joined(separator: "\n\n")
    }

    private static func stateTable(of effect: EventEffect, in lifeCycle: LifeCycle) -> String {
        var rows: [[String]] = []
        for rule in StateRule.all where rule.lifeCycles.contains(lifeCycle) && rule.effects.contains(effect) {
            guard case .calls(let elements, let notCalled) = rule.outcome else { continue }
            rows.append(
                [
                    label(of: rule.states, in: lifeCycle), elements.map(elementText).joined(separator: " → "),
                    notCalled.map(absenceText).joined(separator: "; "),
                ]
            )
        }
        return markdown(header: ["before", "calls, in this order", "not called"], rows: rows)
    }

    private static func causeTable(of effect: EventEffect, in lifeCycle: LifeCycle) -> String {
        var rows: [[String]] = []
        let rules = CauseRule.all.filter { $0.lifeCycles.contains(lifeCycle) && $0.effect == effect }
        for rule in EventCause.allCases.flatMap({ cause in rules.filter { $0.cause == cause } }) {
            for cell in rule.cells {
                let event = [rule.cause.title, label(of: cell.states, in: lifeCycle)]
                rows.append(event + columns(of: cell, in: lifeCycle))
            }
        }
        return markdown(header: ["event", "before", "calls with the event", "not called"], rows: rows)
    }

    private static func columns(of cell: CauseCell, in lifeCycle: LifeCycle) -> [String] {
        switch cell.outcome {
        case .cannotHappen(let reason): return ["cannot happen: \(reason)", ""]
        case .calls(let calls, let notCalled):
            let texts = calls.map { eventText($0, in: lifeCycle) }
            return [
                texts.isEmpty ? "none" : texts.joined(separator: " → "),
                notCalled.map(absenceText).joined(separator: "; "),
            ]
        }
    }

    private static func elementText(_ element: FrameElement) -> String {
        switch element {
        case .event(let place): "**\(place.letter)**"
        case .call(let call):
            callText(
                of: call.callback,
                details: call.scene == .other ? " of the other scene" : "",
                condition: call.condition,
                sources: (call.source, call.order)
            )
        }
    }

    private static func eventText(_ call: EventCall, in lifeCycle: LifeCycle) -> String {
        let place = frameCallbacks(of: lifeCycle).contains(call.callback) ? "" : "**\(call.place.letter)** "
        return place
            + callText(
                of: call.callback,
                details: " (\(call.part?.prefix ?? "")`\(call.argument)`)",
                condition: call.condition,
                sources: (call.source, call.order)
            )
    }

    /// Returns the calls of the chosen scene and of the app in the tables of states.
    private static func frameCallbacks(of lifeCycle: LifeCycle) -> Set<Callback> {
        var callbacks: Set<Callback> = []
        for rule in StateRule.all where rule.lifeCycles.contains(lifeCycle) {
            for call in rule.calls where call.scene == .chosen { callbacks.insert(call.callback) }
        }
        return callbacks
    }

    /// Returns a call with its condition and the marks of its sources.
    private static func callText(
        of callback: Callback,
        details: String,
        condition: CallCondition?,
        sources: (call: CallbackSource, order: CallbackSource)
    ) -> String {
        let clause = condition.map { ", \($0.phrase)," } ?? ""
        let order = sources.order == sources.call ? "" : ", its place \(mark(of: sources.order))"
        return "`\(callback.name)`\(details)\(clause) \(mark(of: sources.call))\(order)"
    }

    private static func absenceText(_ call: AbsentCall) -> String {
        let option = call.option.map { " with `\($0.expression)`" } ?? ""
        return "`\(call.callback.name)`\(option): \(withCode(call.reason)) \(mark(of: call.source))"
    }

    /// Returns a name for states; those that an app with the life cycle cannot have do not count.
    private static func label(of states: Set<InitialState>, in lifeCycle: LifeCycle) -> String {
        let possible = possibleStates(in: lifeCycle)
        let name = namedStates.first { $0.states.intersection(possible) == states.intersection(possible) }?.name
        let titles = InitialState.allCases.filter { states.contains($0) && possible.contains($0) }.map(\.title)
        return titles.count == 1 ? titles.joined() : name ?? titles.joined(separator: "; ")
    }

    /// Returns the states that an app with a life cycle can have.
    private static func possibleStates(in lifeCycle: LifeCycle) -> Set<InitialState> {
        var states = Set<InitialState>.all
        for rule in StateRule.all where rule.lifeCycles.contains(lifeCycle) {
            if case .cannotHappen = rule.outcome { states.subtract(rule.states) }
        }
        return states
    }

    private static let namedStates: [(name: String, states: Set<InitialState>)] = [
        ("any", .all), ("not running", .launching), ("running", .running), ("the scene connects", .connecting),
        ("in the background", .background), ("in the foreground", .foreground), ("the scene is connected", .connected),
        ("not in the foreground", .notVisible),
        ("the app is in the foreground", .appInForeground), ("the app is not in the foreground", .appNotInForeground),
    ]

    // MARK: The other tables

    private static var delegateSettings: String {
        let rows = DelegateSetting.allCases.map { setting in
            let rule = setting.launchRule
            let isCalled = rule.isCalled.map { $0 ? "yes" : "no" } ?? "uncertain"
            return ["`\(setting.rawValue)`", isCalled, mark(of: rule.source)]
        }
        let header = ["the app sets the delegate in", "`center.didReceive` at launch", "source"]
        return delegateIntroduction + "\n\n" + markdown(header: header, rows: rows)
    }

    private static var names: String {
        let rows = Callback.all.map { ["`\($0.name)`", "`\($0.signature)`", "\($0.since)"] }
        return namesIntroduction + "\n\n" + markdown(header: ["name", "Apple's method", "since iOS"], rows: rows)
    }

    private static var migration: String {
        let rows = ReplacedMethod.all.map { row in
            [
                "`\(Callback.app(row.old).signature)`", "`\(Callback.scene(row.new).signature)`",
                row.option.map { "`\($0.expression)`" } ?? "the same", mark(of: row.source),
            ]
        }
        let header = ["not called any more", "if the scene is connected", "if it connects for the event", "source"]
        return [migrationIntroduction, markdown(header: header, rows: rows), migrationRest].joined(separator: "\n\n")
    }

    private static var mistakes: String {
        let rules = MistakeCode.allCases.compactMap { code in MistakeRule.all.first { $0.code == code } }
        let rows = rules.map { ["`\($0.code.rawValue)`", withCode($0.message), mark(of: $0.source)] }
        return mistakesIntroduction + "\n\n" + markdown(header: ["finding", "message", "source"], rows: rows)
    }

    // MARK: The sources

    /// The sources, in the order of their numbers.
    private static let sources: [CallbackSource] = {
        var sources: [CallbackSource] = []
        for source in CallbackSource.ofAllRules where !source.isConclusion && !sources.contains(source) {
            sources.append(source)
        }
        return sources
    }()

    private static var sourceList: String {
        let lines = sources.enumerated().map { "\($0.offset + 1). \($0.element)" }
        return "## Sources\n\n" + lines.joined(separator: "\n")
    }

    /// Returns the number of a source with that of its reports, or the kind of a conclusion.
    private static func mark(of source: CallbackSource) -> String {
        guard let index = sources.firstIndex(of: source) else { return "*\(source.mark.rawValue)*" }
        return source.reportCount == 0 ? "[\(index + 1)]" : "*\(source.reportCount)×* [\(index + 1)]"
    }

    /// Returns a sentence in which the signatures of methods are code.
    private static func withCode(_ sentence: String) -> String {
        Callback.all.reduce(sentence) { text, callback in
            text.replacing(callback.signature, with: "`\(callback.signature)`")
        }
    }

    private static func markdown(header: [String], rows: [[String]]) -> String {
        let lines = [header, header.map { _ in "---" }] + rows
        return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }
}

extension CallPlace {
    /// The letter of the place on the page.
    fileprivate var letter: String {
        switch self {
        case .beforeForeground: "A"
        case .beforeActive: "B"
        case .afterActive: "C"
        }
    }
}

extension EventPart {
    /// The text before the argument.
    fileprivate var prefix: String {
        switch self {
        case .announcement: "announced: "
        case .event: ""
        case .repetition: "again: "
        }
    }
}

extension CallbackSource {
    /// Whether it is a conclusion or a decision, which has no page or report.
    fileprivate var isConclusion: Bool {
        mark == .inferred || mark == .ours
    }

    /// The sources of all rules: of states, causes, delegates, replaced methods, life cycles, and mistakes.
    static var ofAllRules: [CallbackSource] {
        var sources = StateRule.all.flatMap(\.sources)
        sources += CauseRule.all.flatMap(\.cells).flatMap(\.sources)
        sources += DelegateSetting.allCases.map { $0.launchRule.source }
        sources += ReplacedMethod.all.map(\.source)
        sources += LaunchRequirement.all.map(\.source)
        sources += MistakeRule.all.map(\.source)
        return sources
    }
}

extension StateRule {
    fileprivate var calls: [FrameCall] {
        guard case .calls(let elements, _) = outcome else { return [] }
        return elements.compactMap { element -> FrameCall? in
            if case .call(let call) = element { call } else { nil }
        }
    }

    fileprivate var sources: [CallbackSource] {
        guard case .calls(_, let notCalled) = outcome else { return [] }
        return calls.flatMap { [$0.source, $0.order] } + notCalled.map(\.source)
    }
}

extension CauseCell {
    fileprivate var sources: [CallbackSource] {
        guard case .calls(let calls, let notCalled) = outcome else { return [] }
        return calls.flatMap { [$0.source, $0.order] } + notCalled.map(\.source)
    }
}
