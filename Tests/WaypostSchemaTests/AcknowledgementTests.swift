import Testing
import WaypostSchema

@Suite struct AcknowledgementTests {
    @Test(
        arguments: [
            (#"{"upTo":42}"#, .upTo(42)),
            (#"{"upTo":0}"#, .upTo(0)),
            (#"{"sequences":[40,42]}"#, .sequences([40, 42])),
            (#"{"sequences":[]}"#, .sequences([])),
        ] as [(String, Acknowledgement)]
    )
    func eitherMemberSurvivesCoding(_ text: String, _ acknowledgement: Acknowledgement) throws {
        #expect(try Acknowledgement(json: text) == acknowledgement)
        #expect(try acknowledgement.json() == text)
    }

    @Test(arguments: [
        #"{}"#,
        #"{"upTo":null}"#,
        #"{"upTo":null,"sequences":null}"#,
        #"{"upTo":42,"sequences":[42]}"#,
        #"{"upTo":42,"sequences":[]}"#,
    ])
    func neitherOrBothMembersAreRefused(_ text: String) throws {
        let error = try #require(throws: DecodingError.self) { try Acknowledgement(json: text) }
        #expect(error.sentence == #"expected {"upTo":n} or {"sequences":[…]}"#)
    }
}
