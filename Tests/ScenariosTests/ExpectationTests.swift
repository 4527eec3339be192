import JSONScanning
import SchemaFiles
import Testing
import WaypostSchema

@testable import Scenarios

/// The comparison of what a step expects with what happened.
@Suite struct ExpectationTests {
    private static let links = ["https://tv.example/1", "https://tv.example/2", "https://tv.example/3"]

    private func fields(_ expected: ExpectedShelf, _ links: [String] = links) -> [String] {
        var findings = Findings()
        findings.compare(expected, with: links)
        return findings.differences.map(\.field)
    }

    @Test func wholeShelfHasTheSameLinksInTheSameOrder() {
        #expect(fields(.whole(Self.links)).isEmpty)
        #expect(fields(.whole(Self.links.reversed())) == ["shelf"])
        #expect(fields(.whole([])) == ["shelf"])
        #expect(fields(.whole([]), []).isEmpty)
    }

    @Test func partOfAShelfHasLinksInOrder() {
        let (first, last) = (Self.links[0], Self.links[2])
        #expect(fields(.part(contains: [first, last], lacks: [], first: first, count: 3)).isEmpty)
        #expect(fields(.part(contains: [last, first], lacks: [], first: nil, count: nil)) == ["shelf.contains"])
        #expect(fields(.part(contains: [], lacks: [last], first: nil, count: nil)) == ["shelf.lacks"])
        #expect(fields(.part(contains: [], lacks: [], first: last, count: 2)) == ["shelf.first", "shelf.count"])
    }

    /// A value of each key of an expectation, besides those that only say what it is about.
    private static let values = [
        "answer": #"{"a":1}"#, "attribution": #""a""#, "badge": "1", "calls": #"["a"]"#, "choices": #"["a"]"#,
        "conversation": #""a""#, "deliveries": "[]", "findings": "[]", "minimumSource": #""documented""#,
        "notCalled": #"["a"]"#, "visible": "[]",
        "created": "true", "delivered": #""once""#, "destination": #""app""#, "exit": "0",
        "launched": #""launched""#, "menu": #"[["a"]]"#, "message": #""a""#, "never": #"{"link":"a"}"#,
        "notification": #""stored""#,
        "offered": "true", "output": #""a""#, "reason": #""can""#, "reloads": #"{"widgets":1}"#,
        "rejected": #""BadTopic""#, "scene": #""a""#, "sender": #"{"requests":1}"#, "shelf": "[]", "shown": #""list""#,
        "sound": #""a""#, "thread": #""a""#, "tokens": #"["voip"]"#,
    ]

    @Test func titleOfAStepNamesWhatIsExpected() throws {
        let schema = try FileSchema.scenario()["Expectation"]
        let keys = try #require(schema["properties"]).members.keys
        #expect(Set(keys).subtracting(["device", "app", "link", "within"]) == Set(Self.values.keys))
        for (key, value) in Self.values {
            var step = Step(place: SourcePlace(file: "x.yaml", line: 1, column: 1))
            step.expectation = try DocumentDecoder.decode(Expectation.self, from: #"{"\#(key)":\#(value)}"#.utf8)
            #expect(step.text == (key == "delivered" ? "expect delivered once" : "expect \(key)"))
        }
    }

    @Test func everyReceiverHasANumberOfReloads() throws {
        let schema = try FileSchema.scenario()["Expectation"]
        let keys = try #require(schema["properties"]?["reloads"]?["properties"]).members.keys
        #expect(Set(keys) == Set(PushReceiver.allCases.map(\.rawValue)))
    }

    @Test func textIsWholeOrAPart() {
        #expect(ExpectedText.whole("From Enrique").matches("From Enrique"))
        #expect(!ExpectedText.whole("From").matches("From Enrique"))
        #expect(ExpectedText.part("Enrique").matches("From Enrique"))
    }

    @Test(arguments: [
        ("scene", "overview"), ("trace[1].won", "true"), ("trace[0].scene", "crusty"), ("missing", nil),
        ("trace[2].won", nil), ("scene.name", nil), ("trace[x]", nil),
    ])
    func fieldIsFoundByItsPath(_ path: String, _ text: String?) {
        let answer: JSONValue = .object([
            "scene": .string("overview"),
            "trace": .array([
                .object(["scene": .string("crusty"), "won": .bool(false)]), .object(["won": .bool(true)]),
            ]),
        ])
        #expect(answer.value(at: path)?.plainText == text)
    }

    @Test func senderThatWasNeverThrottledDidNotRetry() {
        var findings = Findings()
        let expected = ExpectedSender(retriedAfter429: true, stoppedAfter410: true)
        findings.compare(expected, with: SenderReport(requests: 3))
        #expect(findings.differences.map(\.actual) == ["no answer with 429", "no answer with 410"])
    }

    @Test(arguments: [(2, 2, true), (2, 1, false)])
    func senderRetriesIfItSendsAgainToEachThrottledToken(_ throttled: Int, _ retried: Int, _ isMet: Bool) {
        var findings = Findings()
        let report = SenderReport(throttled: throttled, retriedAfterThrottling: retried)
        findings.compare(ExpectedSender(retriedAfter429: true), with: report)
        #expect(findings.differences.isEmpty == isMet)
    }
}

/// The comparison of what the gateway accepted with what a device got.
@Suite struct DeliveryComparisonTests {
    private func record(_ number: Int, priority: Int = 10) -> NotificationRecord {
        let id = NotificationID(rawValue: "id-\(number)")
        return NotificationRecord(
            sequence: number,
            id: id,
            batch: "batch",
            priority: priority,
            state: .acknowledged,
            history: []
        )
    }

    private func posted(_ numbers: [Int]) -> [DeviceNotification] {
        numbers.map { number in
            DeviceNotification(
                id: NotificationID(rawValue: "id-\(number)"),
                topic: "com.example.app",
                title: "Honk \(number % 10)",
                receivedAt: Timestamp(milliseconds: 0)
            )
        }
    }

    private func differences(_ accepted: [NotificationRecord], _ numbers: [Int]) -> [String] {
        let titles = Dictionary(
            uniqueKeysWithValues: (1...9).map { (NotificationID(rawValue: "id-\($0)"), "Honk \($0)") }
        )
        let comparison = DeliveryComparison(
            device: "iPad",
            acceptedNotifications: accepted,
            arrivedNotifications: posted(numbers),
            titles: titles
        )
        return comparison.findings.differences.map(\.actual)
    }

    @Test func everythingOnceAndInOrderIsNoDifference() {
        #expect(differences([record(1), record(2)], [1, 2]).isEmpty)
    }

    @Test func lossIsNamed() {
        #expect(differences([record(1), record(2)], [2]) == ["it did not arrive on iPad"])
    }

    @Test func copyWithAnotherIdentifierIsNamed() {
        let actual =
            "'Honk 1' (id-11) arrived, which the gateway never accepted for it; it is a second 'Honk 1' with another "
            + "identifier"
        #expect(differences([record(1)], [1, 11]) == [actual])
    }

    @Test func wrongOrderIsNamed() {
        #expect(differences([record(1), record(2)], [2, 1]) == ["'Honk 2' arrived first on iPad"])
    }

    @Test func prioritiesHaveOrdersOfTheirOwn() {
        #expect(differences([record(1, priority: 5), record(2)], [2, 1]).isEmpty)
    }
}
