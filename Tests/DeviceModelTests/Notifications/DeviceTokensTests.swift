import DeviceModel
import Testing
import WaypostSchema

/// The tokens of apps that have tokens of their own.
@Suite struct DeviceTokensTests {
    private static let app: BundleIdentifier = "com.example.tv"
    private static let voip = TokenPurpose(.voip, of: app)
    private static let alerts = TokenPurpose(.app, of: app)
    private static let control = TokenPurpose(.control, of: app, name: "play")

    private static func description(_ tokens: [TokenPurpose.Kind]?) -> AppDescription {
        AppDescription(bundleIdentifier: app, scenes: [], tokens: tokens)
    }

    private static func device(_ tokens: [TokenPurpose.Kind]? = [.app, .voip, .control]) throws -> DeviceModel {
        try DeviceModel(DeviceDescription(name: "iPad", apps: [description(tokens)]))
    }

    /// A device whose app has the tokens `a` for alerts and `v` for calls.
    private static func deviceWithTokens() throws -> DeviceModel {
        var device = try device()
        device.go(through: .token(.tokenAssigned(alerts, "a")), .token(.tokenAssigned(voip, "v")))
        return device
    }

    private static let both = [AppToken("a", for: alerts), AppToken("v", for: voip)]

    @Test func declaredTokensWithoutNamesAreRequested() throws {
        let device = try Self.device()
        #expect(device.tokens.current == [AppToken(for: Self.alerts), AppToken(for: Self.voip)])
        #expect(device.tokens(of: Self.app).isEmpty)
        #expect(!device.tokens.isSettled)
    }

    @Test func appWithoutDeclarationUsesTheTokenOfTheDevice() throws {
        let device = try Self.device(nil)
        #expect(device.tokens == (try Self.device([])).tokens)
        #expect(device.tokens.isSettled)
        #expect(device.topics.contains("com.example.tv"))
    }

    @Test(arguments: [[], [.app], [.voip]] as [[TokenPurpose.Kind]])
    func tokenOfTheDeviceIsNotForAppsWithTokens(_ kinds: [TokenPurpose.Kind]) throws {
        #expect(try Self.device(kinds).topics == [.activities, .messages])
    }

    @Test func gatewayAssignsATokenOnce() throws {
        var device = try Self.device()
        let assigned = device.go(through: .token(.tokenAssigned(Self.voip, "v")))
        #expect(assigned == [.token(.tokenChanged(Self.voip, "v"))])
        let repeated = device.go(through: .token(.tokenAssigned(Self.voip, "v")))
        #expect(repeated.isEmpty)
        #expect(device.tokens(of: Self.app) == [AppToken("v", for: Self.voip)])
        let replaced = device.go(through: .token(.tokenAssigned(Self.voip, "w")))
        #expect(replaced == [.token(.tokenChanged(Self.voip, "w"))])
        #expect(device.tokens.ended == [AppToken("v", for: Self.voip)])
    }

    @Test func tokenEndsWithItsAppUntilTheGatewayHasUnregisteredIt() throws {
        var device = try Self.deviceWithTokens()
        let effects = device.go(through: .system(.appRemoved(Self.app)))
        #expect(effects == [.token(.tokenChanged(Self.alerts, nil)), .token(.tokenChanged(Self.voip, nil))])
        #expect(device.tokens.current.isEmpty)
        #expect(device.tokens.ended == Self.both)
        let unregistered = device.go(through: .token(.tokenInvalidated("a")), .token(.tokenInvalidated("v")))
        #expect(unregistered.isEmpty)
        #expect(device.tokens.isSettled)
    }

    @Test func tokenOfAnAppThatLeavesTheDescriptionEnds() throws {
        var device = try Self.deviceWithTokens()
        let effects = device.go(through: .system(.deviceDescribed(DeviceDescription(name: "iPad", apps: []))))
        #expect(effects.count == 2)
        #expect(device.tokens.ended == Self.both)
    }

    @Test func updateKeepsTheTokensThatTheAppStillDeclares() throws {
        var device = try Self.deviceWithTokens()
        let effects = device.go(through: .system(.appInstalled(Self.description([.voip, .widgets]))))
        #expect(effects == [.token(.tokenChanged(Self.alerts, nil))])
        let widgets = AppToken(for: TokenPurpose(.widgets, of: Self.app))
        #expect(device.tokens.current == [AppToken("v", for: Self.voip), widgets])
    }

    @Test func appRequestsAndReleasesATokenWithAName() throws {
        var device = try Self.deviceWithTokens()
        device.go(through: .token(.tokenRequested(Self.control)), .token(.tokenRequested(Self.control)))
        #expect(device.tokens.current.map(\.purpose) == [Self.alerts, Self.voip, Self.control])
        device.go(through: .token(.tokenAssigned(Self.control, "c")))
        let released = device.go(through: .token(.tokenReleased(Self.control)))
        #expect(released == [.token(.tokenChanged(Self.control, nil))])
        #expect(device.tokens.ended == [AppToken("c", for: Self.control)])
    }

    @Test func tokenThatWasReleasedBeforeItCameEndsAtOnce() throws {
        var device = try Self.device()
        device.go(through: .token(.tokenReleased(Self.voip)))
        let effects = device.go(through: .token(.tokenAssigned(Self.voip, "v")))
        #expect(effects.isEmpty)
        #expect(device.tokens.ended == [AppToken("v", for: Self.voip)])
    }

    @Test func invalidTokenIsRequestedAgain() throws {
        var device = try Self.deviceWithTokens()
        let effects = device.go(through: .token(.tokenInvalidated("v")))
        #expect(effects == [.token(.tokenChanged(Self.voip, nil))])
        #expect(device.tokens.current == [AppToken("a", for: Self.alerts), AppToken(for: Self.voip)])
        #expect(device.tokens.ended == [AppToken("v", for: Self.voip)])
    }

    @Test(
        arguments: [
            (.tokenRequested(TokenPurpose(.voip, of: "com.example.other")), .unknownApp),
            (.tokenRequested(TokenPurpose(.location, of: app)), .undeclaredToken),
            (.tokenRequested(TokenPurpose(.control, of: app)), .unusableTokenName),
            (.tokenRequested(TokenPurpose(.control, of: app, name: "")), .unusableTokenName),
            (.tokenRequested(TokenPurpose(.voip, of: app, name: "calls")), .unusableTokenName),
            (.tokenReleased(control), .unknownToken), (.tokenInvalidated("x"), .unknownToken),
        ] as [(TokenEvent, IgnoredEvent.Reason)]
    )
    func impossibleEventChangesNothing(_ event: TokenEvent, _ reason: IgnoredEvent.Reason) throws {
        var device = try Self.deviceWithTokens()
        let tokens = device.tokens
        guard case .system(.eventIgnored(let ignored)) = device.go(through: .token(event)).first else {
            Issue.record("it is not ignored")
            return
        }
        #expect(ignored.reason == reason)
        #expect(device.tokens == tokens)
    }

    @Test func copyRequestsTokensOfItsOwn() throws {
        var device = try Self.deviceWithTokens()
        device.go(through: .token(.tokenInvalidated("v")), .system(.deviceRenamed("iPad 2")))
        #expect(device.tokens.current == [AppToken(for: Self.alerts), AppToken(for: Self.voip)])
        #expect(device.tokens.ended.isEmpty)
    }

    @Test func restoredDeviceGetsBackNoTokenThatEndedSince() throws {
        var device = try Self.deviceWithTokens()
        device.go(
            through: .system(.snapshotTaken("before")),
            .token(.tokenInvalidated("v")),
            .token(.tokenAssigned(Self.voip, "w")),
            .system(.appRemoved(Self.app)),
            .system(.deviceRestored(snapshot: "before"))
        )
        #expect(device.tokens.current == [AppToken(for: Self.alerts), AppToken(for: Self.voip)])
        #expect(Set(device.tokens.ended.compactMap(\.token)) == ["a", "v", "w"])
    }

    @Test(arguments: ["before", nil]) func restoredDeviceKeepsItsTokens(_ snapshot: String?) throws {
        var device = try Self.deviceWithTokens()
        device.go(
            through: .system(.snapshotTaken("before")),
            .token(.tokenRequested(Self.control)),
            .token(.tokenAssigned(Self.control, "c")),
            .system(.deviceRestored(snapshot: snapshot))
        )
        #expect(device.tokens.current == Self.both)
        #expect(device.tokens.ended == [AppToken("c", for: Self.control)])
    }
}
