import HTTP2Sessions
import PushRules
import Testing
import WaypostSchema

@testable import Gateway

/// The fields of responses to providers.
@Suite struct ProviderResponseTests {
    /// Each value with the one that is sent: fields have only the characters from space to tilde (RFC 9110, section
    /// 5.5).
    static let values: [(value: String, sent: String)] = [
        ("honk", "honk"), (" ~", " ~"), ("a\u{7F}b", "a?b"), ("\u{7F}", "?"), ("a\u{1F}b", "a?b"), ("a\tb", "a?b"),
        ("a\r\nb", "a??b"), ("a\u{0}", "a?"), ("é", "?"), ("\u{80}\u{FF}", "??"), (" é~", " ?~"), ("🤡\u{7F}", "??"),
    ]

    @Test(arguments: values) func invalidCharactersBecomeQuestionMarks(_ example: (value: String, sent: String)) {
        let refusal = ProviderRefusal(.badPriority, example.value)
        let refused = ProviderResponse(outcome: .refused(refusal), id: example.value).http2Response
        #expect(Self.sent("waypost-message", in: refused) == [example.sent])
        #expect(Self.sent("apns-id", in: refused) == [example.sent])

        let own = HTTP2Response(status: 201, fields: [HTTP2Field("apns-channel-id", example.value)])
        let done = ProviderResponse(outcome: .done(own), id: "id", idName: "apns-request-id").http2Response
        #expect(Self.sent("apns-channel-id", in: done) == [example.sent])
        #expect(Self.sent("apns-request-id", in: done) == ["id"])
    }

    /// Returns the values of a field.
    private static func sent(_ name: String, in response: HTTP2Response) -> [String] {
        response.fields.filter { $0.name == name }.map(\.value)
    }
}
