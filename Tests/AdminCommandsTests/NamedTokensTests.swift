import Testing
import WaypostSchema

@testable import AdminCommands

/// The tokens that `waypost up` prints, and the one that it suggests for a notification.
@Suite struct NamedTokensTests {
    private static func app(_ identifier: BundleIdentifier, tokens: [TokenPurpose.Kind]? = nil) -> AppDescription {
        AppDescription(bundleIdentifier: identifier, scenes: [], tokens: tokens)
    }

    private static let recipes = [
        AppToken("a1", for: TokenPurpose(.app, of: "com.example.recipes")),
        AppToken(for: TokenPurpose(.widgets, of: "com.example.recipes")),
    ]

    @Test func rowsHaveTheNamesThatCommandsAccept() {
        #expect(
            NamedTokens(Self.recipes, on: "iPad").rows == [
                ["iPad/app", "a1"], ["iPad/widgets", "not assigned yet"],
            ]
        )
        let several = Self.recipes + [AppToken("a2", for: TokenPurpose(.app, of: "com.example.tv"))]
        #expect(
            NamedTokens(several, on: "iPad").rows.map { $0[0] } == [
                "iPad/app/com.example.recipes", "iPad/widgets", "iPad/app/com.example.tv",
            ]
        )
    }

    @Test func alertGoesToTheTokenOfTheFirstAppThatGetsAlerts() {
        let tokens = NamedTokens(Self.recipes, on: "iPad")
        let calls = Self.app("com.example.calls", tokens: [.voip])
        let recipes = Self.app("com.example.recipes", tokens: [.app, .widgets])
        let shared = Self.app("com.example.clowntown")
        let target = tokens.alertTarget(among: [calls, recipes, shared])
        #expect(target?.app == "com.example.recipes")
        #expect(target?.name == "iPad/app")
        #expect(tokens.alertTarget(among: [shared, recipes])?.name == "iPad")
        #expect(tokens.alertTarget(among: [calls]) == nil)
    }
}
