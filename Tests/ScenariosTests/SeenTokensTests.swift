import JSONScanning
import Testing
import WaypostSchema

@testable import Scenarios

/// The tokens that a run has seen, and how steps name them.
@Suite struct SeenTokensTests {
    private static let alerts = TokenPurpose(.app, of: "com.example.tv")
    private static let play = TokenPurpose(.control, of: "com.example.tv", name: "play/pause")

    private static func seen(_ states: [[AppToken]]) -> SeenTokens {
        states.reduce(into: SeenTokens()) { $0.update($1) }
    }

    private static func tokens(of states: [[AppToken]], for purpose: TokenPurpose) -> [DeviceToken?] {
        seen(states).tokens { $0 == purpose }.map(\.token)
    }

    @Test func tokenThatAnAppHasIsUsed() {
        let states = [[AppToken("a", for: Self.alerts)], [AppToken("b", for: Self.alerts)]]
        #expect(Self.tokens(of: states, for: Self.alerts) == ["b"])
        #expect(Self.tokens(of: states, for: Self.play).isEmpty)
    }

    @Test func lastTokenThatEndedIsUsedUntilThereIsAnother() {
        let states = [[AppToken("a", for: Self.alerts)], [AppToken("b", for: Self.alerts)], []]
        #expect(Self.tokens(of: states, for: Self.alerts) == ["b"])
        #expect(Self.tokens(of: states + [[AppToken(for: Self.alerts)]], for: Self.alerts) == ["b"])
        #expect(Self.tokens(of: states + [[AppToken("c", for: Self.alerts)]], for: Self.alerts) == ["c"])
    }

    @Test func endedTokenIsTheLastOneBeforeTheCurrentOne() {
        let states = ["a", "b", "b", "c"].map { [AppToken(DeviceToken(rawValue: $0), for: Self.alerts)] }
        #expect(Self.seen(states).endedToken { $0 == Self.alerts }.map(\.token) == ["b"])
        #expect(Self.seen(Array(states.prefix(1))).endedToken { _ in true }.isEmpty)
    }

    /// Several changes may come before the device is connected again.
    @Test func endedTokensAreConfirmedOnce() {
        let states = ["a", "b", "c"].map { [AppToken(DeviceToken(rawValue: $0), for: Self.alerts)] }
        var seen = Self.seen(states)
        let unconfirmed = seen.takeUnconfirmedEnds()
        #expect(unconfirmed == ["a", "b"])
        seen.update(states[2])
        let later = seen.takeUnconfirmedEnds()
        #expect(later.isEmpty)
    }

    @Test(arguments: [
        ("app", [true, false]), ("voip", [false, false]), ("control", [false, true]),
        ("control/play/pause", [false, true]), ("control/play", [false, false]), ("control/", [false, false]),
    ])
    func selectorMeansAKindOrANameOfIt(_ text: String, _ isSelected: [Bool]) throws {
        let selector = try DocumentDecoder.decode(TokenSelector.self, from: "\"\(text)\"".utf8)
        #expect([Self.alerts, Self.play].map(selector.selects) == isSelected)
        #expect(selector.text == text)
    }

    @Test func appWithoutAKindMeansItsOwnToken() {
        #expect(TokenChoice(device: "phone").selector == nil)
        #expect(TokenChoice(device: "phone", app: "com.example.tv").selector == TokenSelector(.app))
        #expect(TokenChoice(device: "phone", token: TokenSelector(.voip)).text == "phone/voip")
    }
}
