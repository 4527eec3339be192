import DeviceModel
import PushRules
import Testing
import WaypostSchema

/// Payloads of Live Activities against the types that an app describes.
@Suite struct LiveActivityCheckTests {
    private static let match = LiveActivityType(
        attributes: ["home": .named(.name(.string))],
        contentState: [
            "endsAt": .named(.optional(.name(.date))), "goals": .named(.name(.int)),
            "scorers": .named(.optional(.array(.name(.string)))),
        ]
    )
    private static let race = LiveActivityType(contentState: ["laps": .named(.name(.int))])

    /// The time near which dates are, in 2026.
    private static let now = Timestamp(milliseconds: 1_790_000_000_000)

    private static func report(
        _ keys: String,
        against types: [String: LiveActivityType] = ["Match": match]
    ) -> PayloadReport {
        let text = #"{"aps":{"timestamp":1790000000,\#(keys)}}"#
        return LiveActivityCheck(against: types, at: now).report(on: Array(text.utf8))
    }

    /// Returns the findings, each on a line without its place.
    private static func lines(
        _ keys: String,
        against types: [String: LiveActivityType] = ["Match": match]
    ) -> [String] {
        report(keys, against: types).findings.map { "\($0.severity.rawValue): \($0.message) [\($0.code)]" }
    }

    private static func start(
        _ state: String,
        type: String = "Match",
        attributes: String = #"{"home":"AFC"}"#
    ) -> String {
        #""event":"start","attributes-type":"\#(type)","attributes":\#(attributes),"content-state":\#(state),"#
            + #""alert":{"title":"A","body":"B"}"#
    }

    private static func update(_ state: String) -> String {
        #""event":"update","content-state":\#(state)"#
    }

    private static let dropped = " (APNs answers 200, and the device drops the push) [decoding]"

    @Test func payloadThatDecodesHasNoFindings() {
        #expect(Self.lines(Self.start(#"{"goals":1,"endsAt":811692800,"scorers":["Roy"]}"#)) == [])
        #expect(Self.lines(Self.update(#"{"goals":1}"#)) == [])
        #expect(Self.lines(#""event":"end""#) == [])
    }

    @Test func everyProblemHasAFindingAtItsPlace() {
        let state = #"{"goals":1.5,"scorers":["Roy",7],"gaols":2}"#
        let report = Self.report(Self.update(state))
        let messages = report.findings.map { "\($0.severity.rawValue): \($0.message) [\($0.code)]" }
        #expect(
            messages == [
                "error: content-state.goals is 1.5; the app expects Int, a whole number" + Self.dropped,
                "error: content-state.scorers[1] is 7; the app expects String, a text" + Self.dropped,
                "warning: content-state.gaols is ignored, because the app's type has no such field [unknownKey]",
            ]
        )
        let start = #"{"aps":{"timestamp":1790000000,"event":"update","content-state":"#.utf8.count + 1
        #expect(report.findings.map(\.line) == [1, 1, 1])
        let places = [#"{"goals":"#, #"{"goals":1.5,"scorers":["Roy","#, #"{"goals":1.5,"scorers":["Roy",7],"#]
        #expect(report.findings.map(\.column) == places.map { start + $0.utf8.count })
        #expect(report.reason == nil)
    }

    @Test func misspelledKeyNamesTheField() {
        #expect(
            Self.lines(Self.update(#"{"Goals":1,"ends_at":null}"#)) == [
                "error: content-state.goals is missing; the app expects Int, a whole number; the payload has 'Goals', "
                    + "and names are not converted" + Self.dropped,
                "warning: content-state.Goals is ignored, because the app's type has no such field; "
                    + "did you mean 'goals'? [unknownKey]",
                "warning: content-state.ends_at is ignored, because the app's type has no such field; "
                    + "did you mean 'endsAt'? [unknownKey]",
            ]
        )
    }

    @Test func unixSecondsInADateAreAnError() {
        let expected = """
            error: content-state.endsAt is 2057-09-21T14:13:20Z, because Swift's default date strategy counts from \
            2001; if it is in seconds since 1970, send 811692800 [dateInState]
            """
        #expect(Self.lines(Self.update(#"{"goals":1,"endsAt":1790000000}"#)) == [expected])
    }

    /// Without a description, the usual check guesses.
    @Test func onlyDescribedPartsAreNotGuessed() {
        let keys = Self.start(#"{"laps":1790000000}"#, type: "Race", attributes: #"{"since":1790000000}"#)
        let bytes = Array(#"{"aps":{"timestamp":1790000000,\#(keys)}}"#.utf8)
        let usual = PayloadCheck.report(on: bytes, for: "liveactivity")
        #expect(usual.findings.map(\.code) == ["dateInState", "dateInState"])
        let findings = Self.report(keys, against: ["Race": Self.race]).findings
        #expect(findings.map(\.code) == ["dateInState"])
        #expect(findings.first == usual.findings.first)
    }

    @Test func startOfAnotherTypeNamesThoseOfTheApp() {
        let types = ["Match": Self.match, "Race": Self.race]
        let message = """
            error: the app has no Live Activities of the type 'Matsh', so nothing appears; it has Match, Race; \
            did you mean 'Match'?
            """
        #expect(Self.lines(Self.start(#"{"goals":1}"#, type: "Matsh"), against: types) == [message + Self.dropped])
    }

    @Test func attributesOfAStartMustDecode() {
        let start = Self.start(#"{"goals":1}"#, attributes: #"{"home":1}"#)
        #expect(Self.lines(start) == ["error: attributes.home is 1; the app expects String, a text" + Self.dropped])
    }

    /// An update does not name its type.
    @Test func updateIsComparedWithTheTypeThatSuitsItBest() {
        let types = ["Match": Self.match, "Race": Self.race]
        #expect(
            Self.lines(Self.update(#"{"laps":"two"}"#), against: types) == [
                "note: the payload names no type, and suits Race best; the app has Match, Race [decoding]",
                "error: content-state.laps is 'two'; the app expects Int, a whole number"
                    + Self.dropped,
            ]
        )
    }

    @Test func payloadThatIsNotJSONHasTheUsualReport() {
        let bytes = Array("{".utf8)
        let usual = PayloadCheck.report(on: bytes, for: "liveactivity")
        #expect(LiveActivityCheck(against: ["Match": Self.match], at: Self.now).report(on: bytes) == usual)
    }
}
