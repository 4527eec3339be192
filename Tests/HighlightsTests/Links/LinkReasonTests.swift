import Testing

@testable import Highlights

/// The reason for which a URL of any length is not a link; `LinkReasonVectorTests` has the others.
@Suite struct LinkReasonTests {
    @Test func veryLongURLIsNoLink() {
        let url = "https://a.example/" + String(repeating: "b", count: 17_000)
        #expect(LinkDetector.reason(against: url, in: "See \(url)").contains("it has more than"))
    }
}
