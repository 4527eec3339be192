import PushRules
import WaypostSchema

/// The page docs/push-types.md, made from the table.
enum PushTypesDocument {
    private static let sources = NumberedSources(PushTypeContract.all.flatMap(\.evidence))

    /// The page.
    static var text: String {
        ([introduction] + [request, payload, device].map(\.markdown) + [sourceList]).joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # Push types

        APNs has \(PushType.documented.count) push types, and each has rules of its own. This page is made from the table that
        the gateway, `waypost payload check`, the checks of the console and the device read (`Core/PushRules/PushTypes`). To learn why APNs
        refuses a token, see [tokens.md](tokens.md); for all findings, [provider-api.md](provider-api.md#findings).

        A number in brackets is [the source](#sources) of a cell. *inferred* means that nobody documents it. The gateway
        refuses a request only for what Apple documents, an engineer of Apple states, or at least two developers observed.
        What only one developer observed, or what is inferred, is a finding.
        """

    private static var request: Table {
        Table(
            title: "The request",
            text: """
                The priority is 10, 5 or 1 for every push type, and 10 without `apns-priority`. Without `apns-push-type`, a
                request is an alert, whatever its topic.
                """,
            header: ["push type", "topic", "another push type to this topic", "authentication", "priority", "bytes"],
            rows: PushTypeContract.all.map { row in
                [
                    row.label, cell(row.topic) { $0.text },
                    row.topicSuffix == nil ? "" : cell(row.otherPushType) { "`\($0)`" },
                    cell(row.authentication) { $0.text }, cell(row.priority) { $0.text },
                    cell(row.maximumSize) { "\($0)" },
                ]
            }
        )
    }

    private static var payload: Table {
        Table(
            title: "The payload",
            text:
                "APNs accepts every JSON object and answers 200. What is wrong here is a finding, and the device ignores it.",
            header: ["push type", "`aps`", "must have", "without an effect, or wrong"],
            rows: PushTypeContract.all.map { row in
                [
                    row.label, cell(row.aps) { $0.text },
                    row.requiredKeys.map { cell($0) { $0.text } }.joined(separator: "; "),
                    row.ignoredKeys.map { cell($0) { $0.text } }.joined(separator: "; "),
                ]
            }
        )
    }

    private static var device: Table {
        Table(
            title: "Storage and the device",
            text: """
                A request without an expiration is stored for up to 30 days by Apple's text; reports differ
                ([gateway.md](gateway.md#how-notifications-are-stored)).
                """,
            header: [
                "push type", "expiration", "systems", "receiver", "starts an app that the system ended",
                "after a force-quit",
                "budget",
            ],
            rows: PushTypeContract.all.map { row in
                [
                    row.label, cell(row.expiration) { $0.text }, cell(row.systems) { $0 }, cell(row.receiver) { $0 },
                    cell(row.launch) { $0 }, cell(row.launchAfterForceQuit) { $0 },
                    row.budget.value == nil ? "none known" : cell(row.budget) { $0.map(\.text) ?? "" },
                ]
            }
        )
    }

    private static var sourceList: String {
        "## Sources\n\n" + sources.list
    }

    /// Returns a value with the numbers of its sources.
    private static func cell<Value>(_ rule: Rule<Value>, _ text: (Value) -> String) -> String {
        "\(text(rule.value)) \(sources.marks(of: rule.evidence))"
    }
}

/// A section of the page with a table.
private struct Table {
    var title: String
    var text: String
    var header: [String]
    var rows: [[String]]

    var markdown: String {
        let lines = [header, header.map { _ in "---" }] + rows
        return "## \(title)\n\n\(text)\n\n" + lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }
}

extension PushTypeContract {
    fileprivate var label: String {
        pushType.map { "`\($0)`" } ?? name
    }

    /// The sources of all cells, in the order of the page.
    fileprivate var evidence: [Evidence] {
        topic.evidence + otherPushType.evidence + authentication.evidence + priority.evidence + maximumSize.evidence
            + aps.evidence + requiredKeys.flatMap(\.evidence) + ignoredKeys.flatMap(\.evidence) + expiration.evidence
            + systems.evidence + receiver.evidence + launch.evidence + launchAfterForceQuit.evidence + budget.evidence
    }
}

extension PushTypeContract.TopicForm {
    fileprivate var text: String {
        switch self {
        case .bundleIdentifier: "the bundle identifier"
        case .suffix(let suffix): "the bundle identifier and `\(suffix)`"
        case .prefix(let start): "begins with `\(start)`"
        }
    }
}

extension PushTypeContract.Authentication {
    fileprivate var text: String {
        switch self {
        case .tokenOrCertificate: "token or certificate"
        case .token: "token"
        case .certificate: "certificate"
        }
    }
}

extension PushTypeContract.PriorityAdvice {
    fileprivate var text: String {
        switch self {
        case .any: "any"
        case .only(let priority): "\(priority), so the header is needed"
        case .advised(let priority): "\(priority)"
        case .budgeted: "10 counts against a budget"
        }
    }
}

extension PushTypeContract.ApsRule {
    fileprivate var text: String {
        switch self {
        case .required: "yes"
        case .optional: "may be absent"
        case .absent: "none"
        }
    }
}

extension PushTypeContract.ExpirationAdvice {
    fileprivate var text: String {
        switch self {
        case .any: "any"
        case .within(let seconds): "0, or within \(seconds) seconds"
        }
    }
}

extension PushTypeContract.Budget {
    fileprivate var text: String {
        seconds == 3_600 ? "\(count) an hour" : "\(count) a day"
    }
}

extension RequiredKeys {
    fileprivate var text: String {
        let keys = keys.map { "`\($0)`" }.joined(separator: " or ")
        let place = place == .payload ? " beside `aps`" : ""
        let events = events.map { " (\($0.joined(separator: ", ")))" } ?? ""
        return keys + place + events
    }
}

extension IgnoredKeys {
    fileprivate var text: String {
        let keys =
            switch selection {
            case .aps(let keys): keys.map { "`\($0)`" }.joined(separator: ", ")
            case .apsExcept([]): "every key in `aps`"
            case .apsExcept(let keys): "every key in `aps` but " + keys.map { "`\($0)`" }.joined(separator: ", ")
            case .payloadExcept: "every key beside `aps`"
            }
        return "\(keys)\(events.map { " (\($0.joined(separator: ", ")))" } ?? "")"
    }
}
