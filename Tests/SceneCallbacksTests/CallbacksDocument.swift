@testable import SceneCallbacks

/// The page docs/callbacks.md, made from the tables.
enum CallbacksDocument {
    /// The page.
    static var text: String {
        let matrices = LifeCycle.allCases.reversed().map(matrix)
        let sections = [introduction, names] + matrices + [migration, mistakes, appFiles, openQuestions, sourceList]
        return sections.joined(separator: "\n\n") + "\n"
    }

    // MARK: The matrix

    /// Returns the section of a life cycle: a table for each cause.
    private static func matrix(_ lifeCycle: LifeCycle) -> String {
        let tables = EventCause.allCases.map { cause in
            "### \(heading(cause.title))\n\n" + table(of: cause, in: lifeCycle)
        }
        return ([matrixIntroduction(lifeCycle)] + tables).joined(separator: "\n\n")
    }

    /// Returns the table of a cause; states with the same calls share a row.
    private static func table(of cause: EventCause, in lifeCycle: LifeCycle) -> String {
        var rows: [(states: [String], cells: [String])] = []
        for state in possibleStates(in: lifeCycle) {
            let cell = MatrixCell(lifeCycle: lifeCycle, cause: cause, state: state)
            let contents = columns(of: cell.sequence())
            if let index = rows.firstIndex(where: { $0.cells == contents }) {
                rows[index].states.append(state.title)
            } else {
                rows.append(([state.title], contents))
            }
        }
        return markdown(
            header: ["before", "calls, in this order", "not called"],
            rows: rows.map { [$0.states.joined(separator: "; ")] + $0.cells }
        )
    }

    /// Returns the states that an app with a life cycle can have.
    private static func possibleStates(in lifeCycle: LifeCycle) -> [InitialState] {
        let cells = MatrixCell.all.filter { $0.lifeCycle == lifeCycle && !$0.sequence().steps.isEmpty }
        let states = Set(cells.map(\.state))
        return InitialState.allCases.filter(states.contains)
    }

    private static func columns(of sequence: CallbackSequence) -> [String] {
        if case .cannotHappen(let reason) = sequence.outcome { return ["cannot happen: \(reason)", ""] }
        let replaced = Set(ReplacedMethod.all.map { Callback.app($0.old) })
        let notCalled = sequence.notCalled.filter { !replaced.contains($0.callback) }
        return [
            sequence.steps.map(stepText).joined(separator: " → "),
            notCalled.map(absenceText).joined(separator: "; "),
        ]
    }

    private static func stepText(_ step: CallbackStep) -> String {
        var text = "`\(step.callback.name)`"
        if step.scene == .other { text += " of the other scene" }
        if let argument = step.argument { text += " (**`\(argument)`**\(step.part?.suffix ?? ""))" }
        if let condition = step.condition { text += ", \(condition.phrase)," }
        text += " \(mark(of: step.source))"
        return step.order == step.source ? text : text + ", its place \(mark(of: step.order))"
    }

    private static func absenceText(_ call: AbsentCall) -> String {
        let option = call.option.map { " with `\($0.expression)`" } ?? ""
        return "`\(call.callback.name)`\(option): \(call.reason) \(mark(of: call.source))"
    }

    // MARK: The other tables

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
        let rows = MistakeRule.all.map { ["`\($0.code.rawValue)`", $0.message, mark(of: $0.source)] }
        return mistakesIntroduction + "\n\n" + markdown(header: ["finding", "message", "source"], rows: rows)
    }

    // MARK: The sources

    /// The sources, in the order of their numbers.
    private static let sources: [CallbackSource] = {
        var sources: [CallbackSource] = []
        for source in allSources where source.mark != .inferred && source.mark != .ours && !sources.contains(source) {
            sources.append(source)
        }
        return sources
    }()

    private static var allSources: [CallbackSource] {
        var sources: [CallbackSource] = []
        for sequence in MatrixCell.all.map({ $0.sequence() }) {
            sources += sequence.steps.flatMap { [$0.source, $0.order] }
            sources += sequence.notCalled.map(\.source)
        }
        return sources + ReplacedMethod.all.map(\.source) + MistakeRule.all.map(\.source)
    }

    private static var sourceList: String {
        let lines = sources.enumerated().map { "\($0.offset + 1). \($0.element)" }
        return "## Sources\n\n" + lines.joined(separator: "\n")
    }

    /// Returns the number of a source with its kind, or its kind alone.
    private static func mark(of source: CallbackSource) -> String {
        guard let index = sources.firstIndex(of: source) else { return "*\(source.mark.rawValue)*" }
        return source.reportCount == 0 ? "[\(index + 1)]" : "*\(source.reportCount)×* [\(index + 1)]"
    }

    // MARK: Markdown

    private static func markdown(header: [String], rows: [[String]]) -> String {
        let lines = [header, header.map { _ in "---" }] + rows
        return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }

    private static func heading(_ title: String) -> String {
        title.prefix(1).uppercased() + title.dropFirst()
    }
}

extension EventPart {
    /// The addition to an argument.
    fileprivate var suffix: String {
        switch self {
        case .announcement: ", an announcement"
        case .event: ""
        case .repetition: ", the same event again"
        }
    }
}
