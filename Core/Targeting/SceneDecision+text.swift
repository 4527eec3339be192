internal import TextBasics
public import WaypostSchema

extension SceneDecision {
    /// The decision as text for a terminal: the result, the findings, and each scene with its conditions and their
    /// deciding parts.
    public var text: String {
        let lines = ["\(subjectLine): \(explanation)"] + findings.map { "! \($0)" } + trace.flatMap(\.lines)
        return lines.map { $0.safe(for: .log) }.joined(separator: "\n")
    }

    private var subjectLine: String {
        guard let subject else {
            let identifierString = targetContentIdentifier?.rawValue ?? ""
            return identifierString.isEmpty ? "no identifier" : identifierString
        }
        switch subject.source {
        case .targetContentIdentifier, .url: return subject.text
        case .webpageURL: return "\(subject.text) (the webpageURL, because there is no identifier)"
        }
    }
}

extension SceneTrace {
    /// The lines for one scene.
    fileprivate var lines: [String] {
        let heading = "\(won ? "▶" : " ") \(scene) (\(state.rawValue)): \(explanation)"
        let conditions = [("can", can), ("prefers", prefers)].compactMap { name, trace in
            trace.map { "    \(name): \($0.text)" }
        }
        return [heading] + conditions
    }
}

extension ConditionTrace {
    /// The result, with the part of the condition that decided it.
    fileprivate var text: String {
        let condition = written ?? predicate
        if let error { return "false, because \(condition) cannot be evaluated: \(error.message)" }
        guard let deciding else { return "\(result): \(condition)" }
        guard deciding.predicate != predicate else { return "\(result): \(condition): \(deciding.because)" }
        return "\(result), because \(deciding.predicate) is \(deciding.result): \(deciding.because)"
    }
}
