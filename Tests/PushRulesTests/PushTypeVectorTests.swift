import PushRules
import Testing
import WaypostSchema

/// Payloads and requests that developers sent, and what is found in them.
@Suite struct PushTypeVectorTests {
    @Test(arguments: try PayloadVector.all()) func payloadHasItsFindings(_ vector: PayloadVector) throws {
        let findings = try PayloadCheck.findings(in: try vector.bytes, vector.context)
        #expect(findings.map(\.finding.short).sorted() == vector.findings.sorted(), "\(findings)")
    }

    @Test(arguments: try HeaderVector.all()) func requestHasItsFindings(_ vector: HeaderVector) {
        let findings = vector.check.findings(at: Timestamp(milliseconds: vector.now * 1_000))
        #expect(findings.map(\.short) == vector.findings, "\(findings)")
    }

    @Test func everyPushTypeHasAUsualPayload() throws {
        let usual = try PayloadVector.all().filter(\.findings.isEmpty)
        #expect(PushType.documented.subtracting(usual.map(\.pushType)).isEmpty)
    }

    @Test func findingsAreInTheOrderOfTheirPlaces() throws {
        for vector in try PayloadVector.all() {
            let offsets = try PayloadCheck.findings(in: try vector.bytes, vector.context).map(\.offset)
            #expect(offsets == offsets.sorted(), "\(vector.testDescription)")
        }
    }

    @Test func nothingAboutTheTimeIsFoundWithoutOne() throws {
        for vector in try PayloadVector.all() {
            var context = vector.context
            context.now = nil
            let findings = try PayloadCheck.findings(in: try vector.bytes, context).map(\.finding.code)
            #expect(!findings.contains(.unusualTime), "\(vector.testDescription)")
        }
        for vector in try HeaderVector.all() {
            #expect(!vector.check.findings(at: nil).map(\.code).contains(.pastExpiration), "\(vector.testDescription)")
        }
    }

    @Test(
        arguments: [
            ("\"{\\\"aps\\\":{}}\"", "encode it once"), ("\"Honk\"", "must be a JSON object"),
            ("[]", "must be a JSON object"),
            ("{", "not JSON"),
        ]
    )
    func bodyThatIsNoObjectIsAProblem(_ body: String, sentence: String) {
        let problem = #expect(throws: PayloadCheck.Problem.self) {
            try PayloadCheck.findings(in: Array(body.utf8), PayloadCheck.Context(pushType: .alert))
        }
        #expect(problem?.message.contains(sentence) == true)
    }

    @Test(arguments: [(3_686, false), (3_687, true), (4_096, true), (4_097, false)])
    func payloadOverNinetyPercentIsNoted(_ size: Int, isNoted: Bool) throws {
        let context = PayloadCheck.Context(pushType: .alert, size: size)
        let findings = try PayloadCheck.findings(in: Array(#"{"aps":{"alert":"Honk"}}"#.utf8), context)
        #expect(findings.contains { $0.finding.code == .nearlyTooLarge } == isNoted)
    }

    /// A broadcast may have 5,120 bytes, but ActivityKit accepts less.
    @Test(arguments: [(4_000, false), (4_100, true)])
    func dataOfALiveActivityHasALimit(_ count: Int, isTooLarge: Bool) throws {
        let text = String(repeating: "x", count: count)
        let payload = #"{"aps":{"event":"update","timestamp":1,"content-state":{"a":"\#(text)"}}}"#
        let context = PayloadCheck.Context(pushType: "liveactivity", size: payload.utf8.count)
        let findings = try PayloadCheck.findings(in: Array(payload.utf8), context)
        #expect(findings.contains { $0.finding.code == .liveActivityTooLarge } == isTooLarge)
    }

    /// The commonest mistakes of the field, and the part of a sentence that tells the cause.
    @Test(
        arguments: [
            (#"{"aps":{"content-available":1}}"#, "a silent push has the push type background and priority 5"),
            (#"{"aps":{"alert":"Honk","content_available":1}}"#, "did you mean 'content-available'?"),
            (
                #"{"aps":{"alert":"Honk"},"content_available":true}"#,
                "write 'content-available' inside 'aps'"
            ),
            (
                #"{"aps":{"alert":"Honk","badge":"1"}}"#,
                "'badge' must be a whole number, 0 or greater; it is the string '1'"
            ),
            (#"{"notification":{"title":"Honk"}}"#, "a message for Firebase Cloud Messaging"),
        ]
    )
    func sentenceTellsTheCause(_ payload: String, sentence: String) throws {
        let findings = try PayloadCheck.findings(in: Array(payload.utf8), PayloadCheck.Context(pushType: .alert))
        #expect(findings.contains { $0.finding.message.contains(sentence) }, "\(findings)")
    }

    @Test func sentenceNamesTheIntendedTime() throws {
        let now = Timestamp(milliseconds: 1_764_374_400_000)
        func message(_ expiration: Int) -> String? {
            HeaderCheck(pushType: .alert, topic: "com.example.clowntown", priority: 10, expiration: expiration)
                .findings(at: now).first?.message
        }
        #expect(message(3_600)?.contains("3600 seconds from now is 1764378000") == true)
        #expect(message(1_764_378_000_000)?.contains("in seconds it is 1764378000") == true)
    }
}
