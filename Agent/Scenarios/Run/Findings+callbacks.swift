internal import SceneCallbacks
internal import WaypostSchema

extension Findings {
    /// Compares the expected calls of an app's methods with the actual ones.
    mutating func compare(_ expectation: Expectation, with sequence: CallbackSequence) {
        let earlierCount = differences.count
        if let expected = expectation.deliveries { compareDeliveries(expected, with: sequence.deliveries) }
        compareCalls(expectation.calls ?? [], with: sequence.steps)
        compareAbsentCalls(expectation.notCalled ?? [], with: sequence.ordinarySteps)
        if let expected = expectation.findings { compareMistakes(expected, with: sequence.mistakeCodes) }
        if let mark = expectation.minimumSource { compareSources(of: sequence.deliveries, withMinimum: mark) }
        if differences.count > earlierCount { explanations.append(sequence.text) }
    }

    private mutating func compareDeliveries(_ expected: [ExpectedCall], with deliveries: [CallbackStep]) {
        let isMet = expected.count == deliveries.count && zip(expected, deliveries).allSatisfy { $0.matches($1) }
        guard !isMet else { return }
        let actual = deliveries.map(\.delivery)
        add("deliveries", expected.map(\.text).lines, actual: actual.lines, replacement: actual)
    }

    /// The calls must be made in this order; others may be between them.
    private mutating func compareCalls(_ expected: [ExpectedCall], with steps: [CallbackStep]) {
        var remainingSteps = steps[...]
        for call in expected {
            if let index = remainingSteps.firstIndex(where: { call.matches($0) }) {
                remainingSteps = remainingSteps[(index + 1)...]
            } else {
                add("calls", call.text, actual: steps.map(\.callback.signature).lines)
            }
        }
    }

    private mutating func compareAbsentCalls(_ expected: [ExpectedCall], with steps: [CallbackStep]) {
        for call in expected where steps.contains(where: { call.matches($0) }) {
            add("notCalled", "not \(call.text)", actual: steps.map(\.callback.signature).lines)
        }
    }

    private mutating func compareMistakes(_ expected: [MistakeCode], with actual: [MistakeCode]) {
        guard Set(expected) != Set(actual) else { return }
        let codes = actual.map(\.rawValue)
        add("findings", expected.map(\.rawValue).lines, actual: codes.lines, replacement: codes)
    }

    private mutating func compareSources(of deliveries: [CallbackStep], withMinimum minimum: SourceMark) {
        let weakerMarks = SourceMark.allCases.drop { $0 != minimum }.dropFirst()
        let weakestMark = weakerMarks.last { mark in deliveries.contains { $0.source.mark == mark } }
        guard let weakestMark else { return }
        let calls = deliveries.filter { $0.source.mark == weakestMark }.map(\.delivery)
        let actual = "\(weakestMark.rawValue): \(calls.joined(separator: ", "))"
        add("minimumSource", minimum.rawValue, actual: actual, replacement: [weakestMark.rawValue])
    }
}

extension CallbackSequence {
    /// The codes of the mistakes, each once.
    var mistakeCodes: [MistakeCode] {
        var seenCodes: Set<MistakeCode> = []
        return findings.map(\.code).filter { seenCodes.insert($0).inserted }
    }
}

extension [String] {
    /// The texts on a line each, or a word for none.
    fileprivate var lines: String {
        isEmpty ? "none" : joined(separator: "\n")
    }
}
