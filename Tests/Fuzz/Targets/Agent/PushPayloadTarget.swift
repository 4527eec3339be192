import JSONScanning
import PushRules
import WaypostSchema

extension FuzzTarget {
    /// Choices, a topic and a payload.
    static let pushPayloads = FuzzTarget(
        name: "push-payloads",
        summary: "checks of payloads; the test for ordinary ones agrees with the inspection, and places are in them"
    ) { bytes in
        var input = SeparatedInput(bytes)
        var choices = input.nextChoices()
        let types = PushType.documented.map(\.rawValue).sorted() + ["hologram"]
        let pushType = PushType(rawValue: types[Int(choices.byte()) % types.count])
        let topic = Topic(rawValue: input.nextText())
        let payload = input.next()
        let context = PayloadCheck.Context(
            pushType: pushType,
            topic: topic,
            priority: [nil, 10, 5, 1][Int(choices.byte() % 4)],
            size: choices.bool() ? payload.count : nil,
            now: choices.bool() ? Timestamp(milliseconds: 1_654_594_800_000) : nil
        )
        checkInspection(of: payload, context)
        checkReport(on: payload, pushType)
    }

    /// Checks that the findings are those of a payload that is always inspected.
    private static func checkInspection(of payload: [UInt8], _ context: PayloadCheck.Context) {
        let document = try? JSONDocument(payload)
        guard !context.topic.isOfWaypost, case .object(let members)? = document?.root.value else { return }
        let inspected = PayloadCheck.inspect(members, at: document?.root.offset ?? 0, context)
        let found = try? PayloadCheck.findings(in: payload, context)
        promise(found == inspected, "an ordinary payload has no finding", found: (found, inspected))
        let reported = PayloadCheck.reported(inspected.map(\.finding))
        let errorCount = inspected.count { $0.finding.severity == .error }
        promise(
            reported.count { $0.severity == .error } == min(errorCount, reported.count),
            "no error is left out for something else",
            found: reported
        )
    }

    /// Checks that each finding has a place in the payload.
    private static func checkReport(on payload: [UInt8], _ pushType: PushType) {
        let report = PayloadCheck.report(on: payload, for: pushType)
        let lineFeed = UInt8(ascii: "\n")
        let lengths = payload.split(separator: lineFeed, omittingEmptySubsequences: false).map(\.count)
        for finding in report.findings {
            promise(!finding.message.isEmpty, "a finding has a message", found: finding)
            promise(
                (1...lengths.count).contains(finding.line)
                    && (1...lengths[finding.line - 1] + 1).contains(finding.column),
                "a finding has a place in the payload",
                found: finding
            )
        }
        var isObject = false
        if case .object? = (try? JSONDocument(payload))?.root.value { isObject = true }
        promise(isObject == (report.reason != .payloadEmpty), "a payload is a JSON object", found: report)
    }
}
