public import WaypostSchema

extension SceneDecision {
    /// The decision as lines of text for a terminal: what was decided, what is odd, and every scene with its conditions
    /// and the parts of them that decided.
    public var text: String {
        let lines = ["\(subjectLine): \(explanation)"] + findings.map { "! \($0)" } + trace.flatMap(\.lines)
        return lines.map(\.withVisibleControls).joined(separator: "\n")
    }

    private var subjectLine: String {
        guard let subject else {
            let given = targetContentIdentifier?.rawValue ?? ""
            return given.isEmpty ? "no identifier" : given
        }
        switch subject.source {
        case .targetContentIdentifier, .url: return subject.text
        case .webpageURL: return "\(subject.text) (the webpageURL, because there is no identifier)"
        }
    }
}

extension SceneTrace {
    /// The lines about one scene.
    fileprivate var lines: [String] {
        let heading = "\(won ? "▶" : " ") \(scene) (\(state.rawValue)): \(explanation)"
        let conditions = [("can", can), ("prefers", prefers)].compactMap { name, trace in
            trace.map { "    \(name): \($0.text)" }
        }
        return [heading] + conditions
    }
}

extension ConditionTrace {
    /// The answer, and the part of the condition that decided.
    fileprivate var text: String {
        if let error { return "false, because \(predicate) cannot be evaluated: \(error.message)" }
        guard let deciding else { return "\(result): \(predicate)" }
        guard deciding.predicate != predicate else { return "\(result): \(predicate): \(deciding.because)" }
        return "\(result), because \(deciding.predicate) is \(deciding.result): \(deciding.because)"
    }
}

extension String {
    /// The text with its control characters spelled out, so that no identifier tells a terminal what to do.
    fileprivate var withVisibleControls: String {
        guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            let isControl = scalar.properties.generalCategory == .control
            text += isControl ? scalar.escaped(asASCII: true) : String(scalar)
        }
    }
}
