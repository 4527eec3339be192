internal import SchemaFiles
internal import WaypostSchema

/// The differences between an expectation and what happened, with their explanations.
struct Findings: Sendable, Equatable {
    private(set) var differences: [StepFailure.Difference] = []

    /// The explanations of the decisions.
    var explanations: [String] = []

    mutating func add(_ field: String, _ expected: String, actual: String, replacement: [String]? = nil) {
        differences.append(.init(field: field, expected: expected, actual: actual, replacement: replacement))
    }

    mutating func add(_ other: Self) {
        differences += other.differences
        explanations += other.explanations
    }

    private static let maximumExplanations = 3

    /// Throws a failure if there is a difference.
    func throwIfDifferent() throws(StepFailure) {
        guard let first = differences.first else { return }
        let more = differences.count == 1 ? "" : ", and \(differences.count - 1) more"
        var explanationText = explanations.prefix(Self.maximumExplanations).joined(separator: "\n")
        if explanations.count > Self.maximumExplanations {
            explanationText += "\n(and \(explanations.count - Self.maximumExplanations) further explanations)"
        }
        throw StepFailure(
            "expected \(first.field) \(first.expected.inOneLine), got \(first.actual.inOneLine)\(more)",
            differences,
            explanation: explanations.isEmpty ? nil : explanationText
        )
    }

    private mutating func compare(_ field: String, _ expected: String?, actual: String?) {
        guard let expected, expected != actual else { return }
        add(field, expected, actual: actual ?? "nothing", replacement: actual.map { [$0] })
    }

    /// Compares an expectation with the answer of the step's action.
    mutating func compare(_ expectation: Expectation, with answer: StepAnswer) {
        let opened = answer.openedContent
        let earlierCount = differences.count
        compare("scene", expectation.scene?.rawValue, actual: opened?.scene?.rawValue)
        compare("reason", expectation.reason?.rawValue, actual: opened?.reason?.rawValue)
        compare("created", expectation.created.map { "\($0)" }, actual: opened.map { "\($0.isNewScene)" })
        compare("destination", expectation.destination?.rawValue, actual: opened?.destination.rawValue)
        if let opened { compare("app", expectation.app?.rawValue, actual: opened.app?.rawValue) }
        if differences.count > earlierCount, let explanation = opened?.explanation { explanations.append(explanation) }
        compare("conversation", expectation.conversation, actual: answer.conversationTitle)
        if let choices = expectation.choices, choices != answer.choices {
            add(
                "choices",
                choices.joined(separator: ", "),
                actual: answer.choices?.joined(separator: ", ") ?? "no menu",
                replacement: answer.choices
            )
        }
        compare("rejected", expectation.rejected?.rawValue, actual: answer.refusals.first?.rawValue)
        compare("exit", expectation.exit.map { "\($0)" }, actual: answer.commandOutcome.map { "\($0.exit)" })
        if let output = expectation.output, let actual = answer.commandOutcome?.output.trimmed,
            !output.matches(actual)
        {
            add("output", output.text, actual: actual)
        }
        for (path, expected) in (expectation.answer ?? [:]).sorted(by: { $0.key < $1.key }) {
            let actual = answer.document.value(at: path)
            guard actual != expected else { continue }
            let isKindDifferent = actual?.plainText == expected.plainText
            add(
                "answer.\(path)",
                expected.plainText + (isKindDifferent ? expected.kindText : ""),
                actual: actual.map { $0.plainText + (isKindDifferent ? $0.kindText : "") } ?? "nothing",
                replacement: actual.map { [$0.plainText] }
            )
            explanations.append("The answer: \(answer.document.plainText)")
        }
        if let callbacks = answer.callbacks { compare(expectation, with: callbacks) }
    }

    /// Compares the expected links with those on a shelf.
    mutating func compare(_ expected: ExpectedShelf, with links: [String]) {
        let allLinks = links.isEmpty ? "empty" : links.joined(separator: "\n")
        switch expected {
        case .whole(let expected):
            guard expected != links else { return }
            let expectedLinks = expected.isEmpty ? "empty" : expected.joined(separator: "\n")
            add("shelf", expectedLinks, actual: allLinks, replacement: links)
        case .part(let requiredLinks, let forbiddenLinks, let first, let count):
            // The links must be there in this order; others may be between them.
            var remainingLinks = links[...]
            for link in requiredLinks {
                if let index = remainingLinks.firstIndex(of: link) {
                    remainingLinks = remainingLinks[(index + 1)...]
                } else {
                    add("shelf.contains", link, actual: allLinks)
                }
            }
            for link in forbiddenLinks where links.contains(link) {
                add("shelf.lacks", "not \(link)", actual: allLinks)
            }
            compare("shelf.first", first, actual: links.first)
            compare("shelf.count", count.map { "\($0)" }, actual: "\(links.count)")
        }
    }

    /// Compares the expected behavior of a client with its actual one.
    mutating func compare(_ expected: ExpectedSender, with report: SenderReport) {
        let earlierCount = differences.count
        compare("sender.connections", expected.connections.map { "\($0)" }, actual: "\(report.connections)")
        compare("sender.requests", expected.requests.map { "\($0)" }, actual: "\(report.requests)")
        compare("sender.provider-tokens", expected.providerTokens.map { "\($0)" }, actual: "\(report.providerTokens)")
        for (status, count) in (expected.answers ?? [:]).sorted(by: { $0.key < $1.key }) {
            compare("sender.answers.\(status)", "\(count)", actual: "\(report.answers[status] ?? 0)")
        }
        if let retries = expected.retriedAfter429 {
            let text = "\(report.retriedAfterThrottling) of \(report.throttled) device tokens"
            let isMet = report.throttled > 0 && (report.retriedAfterThrottling == report.throttled) == retries
            if !isMet {
                add(
                    "sender.retried-after-429",
                    "\(retries)",
                    actual: report.throttled == 0
                        ? "no answer with 429" : "further requests to \(text) after their 429"
                )
            }
        }
        if let stops = expected.stoppedAfter410 {
            let isMet = report.unregistered > 0 && (report.sentAfterUnregistered == 0) == stops
            if !isMet {
                add(
                    "sender.stopped-after-410",
                    "\(stops)",
                    actual: report.unregistered == 0
                        ? "no answer with 410" : "requests after a 410: \(report.sentAfterUnregistered)"
                )
            }
        }
        if differences.count > earlierCount {
            explanations.append("The gateway saw: \(JSONValue(encoding: report).plainText)")
        }
    }
}

extension JSONValue {
    /// The kind of the value, for a text that could also be that of another kind.
    fileprivate var kindText: String {
        switch self {
        case .string: " (a string)"
        case .integer, .unsigned, .double: " (a number)"
        case .bool: " (true or false)"
        case .null: " (null)"
        case .array, .object: ""
        }
    }
}

extension String {
    /// The text with its lines, such as the links of a shelf, one after the other.
    fileprivate var inOneLine: String {
        split(separator: "\n").joined(separator: ", ")
    }

    /// The text without line breaks at its end.
    fileprivate var trimmed: String {
        String(reversed().drop(while: \.isNewline).reversed())
    }
}
