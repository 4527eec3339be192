import PushRules
import Testing
import WaypostSchema

/// The warnings about the reasons of injected answers.
@Suite struct FaultWarningTests {
    @Test(
        arguments: [
            ("TooManyRequest", nil, "did you mean 'TooManyRequests'?"), ("TooManyRequest", 429, nil),
            ("TooManyRequests", nil, nil), (nil, 503, nil),
        ] as [(String?, Int?, String?)]
    )
    func reasonThatAPNsDoesNotHaveIsReported(_ name: String?, _ status: Int?, words: String?) {
        let reason = name.map(RejectionReason.init(rawValue:))
        let warnings = [
            SendFault(kind: .respond, reason: reason, status: status).warning,
            ConnectionFault(.respond, reason: reason, status: status).warning,
        ]
        for warning in warnings {
            #expect((warning == nil) == (words == nil))
            #expect(warning?.contains(words ?? "") != false)
        }
    }

    @Test func reasonOfGoAwayIsNotReported() {
        #expect(SendFault(kind: .goAway, reason: "TooManyRequest").warning == nil)
        #expect(ConnectionFault(.goAway, reason: "TooManyRequest").warning == nil)
    }
}
