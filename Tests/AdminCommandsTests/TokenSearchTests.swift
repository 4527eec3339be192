import Testing
import WaypostSchema

@testable import AdminCommands

/// The names by which commands find tokens.
@Suite struct TokenSearchTests {
    private static func device(
        _ token: DeviceToken,
        _ name: String,
        _ purpose: TokenPurpose? = nil,
        standing: TokenStanding = .active,
        since: Int = 0
    ) -> RegisteredDevice {
        RegisteredDevice(
            token: token,
            name: name,
            topics: [],
            standing: standing,
            since: Timestamp(milliseconds: since),
            purpose: purpose
        )
    }

    private static let phone = [
        device("a1", "Phone"),
        device("a2", "Phone", TokenPurpose(.app, of: "com.example.tv")),
        device("a3", "Phone", TokenPurpose(.voip, of: "com.example.tv")),
        device("a4", "Phone", TokenPurpose(.liveActivity, of: "com.example.tv", name: "match-1")),
        device("a5", "Phone", TokenPurpose(.liveActivity, of: "com.example.tv", name: "match-2")),
    ]

    private static let pad = [
        device("b1", "Pad", TokenPurpose(.voip, of: "com.example.tv")),
        device("b2", "Pad", TokenPurpose(.app, of: "com.example.tv")),
    ]

    private static let watch = [
        device("c1", "Watch", TokenPurpose(.app, of: "com.example.tv")),
        device("c2", "Watch", TokenPurpose(.app, of: "com.example.clowntown")),
    ]

    private static let clock = [device("d1", "Clock", TokenPurpose(.complication, of: "com.example.tv"))]

    private static let old = [
        device("e1", "Old", TokenPurpose(.app, of: "com.example.tv"), standing: .unregistered, since: 1),
        device("e2", "Old", TokenPurpose(.app, of: "com.example.tv"), standing: .expired, since: 2),
        device("e3", "Old", TokenPurpose(.voip, of: "com.example.tv"), standing: .unregistered, since: 3),
    ]

    private static let starter = [
        device("f1", "Starter"),
        device("f2", "Starter", TokenPurpose(.pushToStart, of: "com.example.tv")),
        device("f3", "Starter", TokenPurpose(.liveActivity, of: "com.example.tv", name: "match-1")),
        device("f4", "Starter", TokenPurpose(.voip, of: "com.example.tv"), standing: .unregistered),
    ]

    private static let twins = [
        device("a7", "Twin"), device("a8", "Twin"), device("a9", "Twin", TokenPurpose(.app, of: "com.example.tv")),
    ]

    private static let all = phone + pad + watch + clock + old + starter + twins

    private static func find(_ name: String) throws -> DeviceToken {
        var search = TokenSearch(name)
        for device in all {
            let isFound = search.add(device)
            if isFound { return device.token }
        }
        return try search.result()
    }

    private static func search(_ name: String) -> TokenSearch {
        var search = TokenSearch(name)
        for device in all { _ = search.add(device) }
        return search
    }

    private static func item(_ suffix: String, app: String = "com.example.tv", event: String? = nil) -> BatchItem {
        var aps: [String: JSONValue] = [:]
        if let event { aps["event"] = .string(event) }
        let payload = JSONValue.object(["aps": .object(aps)])
        return BatchItem(token: "", topic: Topic(rawValue: app + suffix), payload: payload)
    }

    @Test(
        arguments: [
            ("Phone", item(""), "a2"), ("Phone", item(".voip"), "a3"), ("Phone", item(".location-query"), nil),
            ("Phone", item("", app: "com.example.other"), nil), ("Pad", item(".voip"), "b1"),
            ("Watch", item("", app: "com.example.clowntown"), "c2"),
            ("Starter", item(".push-type.liveactivity", event: "start"), "f2"),
            ("Starter", item(".push-type.liveactivity", event: "update"), "f3"),
            // The token that ended is not chosen, and neither is one if the name is that of a token or of two devices.
            ("Starter", item(".voip"), nil), ("Phone/voip", item(""), nil), ("a1", item(""), nil),
            ("Twin", item(""), nil),
        ] as [(String, BatchItem, DeviceToken?)]
    )
    func notificationForADeviceGoesToTheTokenOfItsApp(_ name: String, _ item: BatchItem, token: DeviceToken?) throws {
        let chosen = try Self.search(name).appToken(for: item)
        #expect(chosen?.token == token)
    }

    @Test func notificationForTwoLiveActivitiesNeedsAToken() throws {
        let item = Self.item(".push-type.liveactivity", event: "end")
        let failure = try #require(throws: CommandFailure.self) { try Self.search("Phone").appToken(for: item) }
        #expect(failure.message?.hasPrefix("'Phone' could be 2 tokens: Phone/liveActivity/match-1 (a4)") == true)
    }

    @Test(arguments: [
        ("Phone", ["a1", "a2", "a3", "a4", "a5"]), ("Pad", ["b2", "b1"]), ("Phone/voip", ["a3"]), ("A4", ["a4"]),
        ("Starter", ["f1", "f2", "f3", "f4"]), ("Clock", ["d1"]),
    ])
    func deviceHasTheTokensOfItsApps(_ name: String, tokens: [String]) throws {
        let results = try Self.search(name).results(for: .log)
        #expect(results.map(\.rawValue) == tokens)
    }

    /// A token that ended has an inbox only if it is unregistered from a later time on.
    @Test func inboxOfATokenThatEndedCountsOnlyWithNotifications() throws {
        var search = Self.search("Starter")
        let without = try search.results(for: .inbox)
        #expect(without == ["f1", "f2", "f3"])
        let late = Self.device("f5", "Starter", TokenPurpose(.app, of: "com.example.tv"), standing: .unregistered)
        _ = search.add(late, stored: 1)
        let with = try search.results(for: .inbox)
        #expect(with == ["f1", "f2", "f3", "f5"])
    }

    @Test func onlyTheNewestTokensAreLookedUpInTheLog() throws {
        var search = Self.search("Phone")
        for number in 0..<1_000 {
            let purpose = TokenPurpose(.liveActivity, of: "com.example.tv", name: "\(number)")
            let token = DeviceToken(rawValue: "9\(number)")
            _ = search.add(Self.device(token, "Phone", purpose, standing: .unregistered, since: number))
        }
        let tokens = try search.results(for: .log)
        #expect(tokens.count == TokenSearch.maximumLogTokens)
        #expect(tokens.first == "a1")
        let expected: Set<DeviceToken> = ["a2", "a3", "a4", "a5", "9999", "9905"]
        #expect(expected.isSubset(of: tokens))
        #expect(!tokens.contains("9904"))
        let inboxes = try search.results(for: .inbox)
        #expect(inboxes == ["a1", "a2", "a3", "a4", "a5"])
    }

    @Test(arguments: [
        ("Phone", "a1"), ("Phone/app", "a2"), ("Phone/voip", "a3"), ("Phone/voip/com.example.tv", "a3"),
        ("Phone/liveActivity/match-2", "a5"), ("Pad", "b2"), ("Pad/voip", "b1"),
        ("Watch/app/com.example.clowntown", "c2"), ("Clock", "d1"), ("Old", "e2"), ("Old/voip", "e3"), ("a4", "a4"),
        ("A4", "a4"), ("a4…", "a4"),
    ])
    func nameMeansOneToken(_ name: String, token: String) throws {
        #expect(try Self.find(name).rawValue == token)
    }

    @Test(
        arguments: [
            (
                "Watch", 2,
                "'Watch' could be 2 tokens: Watch/app/com.example.tv (c1), Watch/app/com.example.clowntown (c2)"
            ),
            (
                "Phone/liveActivity", 2,
                "'Phone/liveActivity' could be 2 tokens: Phone/liveActivity/match-1 (a4), "
                    + "Phone/liveActivity/match-2 (a5)"
            ),
            (
                "Phone/VoIP", 1,
                "there is no device or token 'Phone/VoIP' in this namespace; its device has Phone, Phone/app, "
                    + "Phone/liveActivity/match-1, Phone/liveActivity/match-2, Phone/voip"
            ),
            ("Phonee", 1, "there is no device or token 'Phonee' in this namespace; did you mean 'Phone'?"),
            ("Zeppelin", 1, "there is no device or token 'Zeppelin' in this namespace; see 'waypost tokens list'"),
        ] as [(String, Int, String)]
    )
    func errorNamesTheTokensThatExist(_ name: String, status: Int, message: String) throws {
        let failure = try #require(throws: CommandFailure.self) { try Self.find(name) }
        #expect(failure.message == message)
        #expect(Int(failure.status.rawValue) == status)
    }

    @Test func wholeTokenNeedsNoSearch() {
        let token = String(repeating: "a1", count: 32)
        #expect(TokenSearch(token).wholeToken?.rawValue == token)
        #expect(TokenSearch("Phone/liveActivity/" + token).wholeToken == nil)
        #expect(TokenSearch("a1").wholeToken == nil)
    }

    /// Finds a token among the devices of a gateway with pages of two; returns it, and the names of the requests.
    private static func search(_ name: String) async throws -> (token: DeviceToken, names: [String?]) {
        let registered = (phone + pad + watch + clock + old).map {
            ListedDevice(device: $0, connected: false, stored: 0)
        }
        var names: [String?] = []
        let outcome = try await TokenSearch.outcome(for: name) { deviceName, after in
            names.append(deviceName)
            let matches = registered.filter { device in
                (deviceName == nil || device.device.name == deviceName)
                    && device.device.token.rawValue > after?.rawValue ?? ""
            }
            let devices = Array(matches.prefix(2))
            return DevicePage(devices: devices, next: matches.count > 2 ? devices.last?.device.token : nil)
        }
        return (try outcome.result(), names)
    }

    @Test(
        arguments: [
            ("Phone", "a1", ["Phone", "Phone", "Phone"]),
            ("Pad/voip", "b1", ["Pad/voip", "Pad"]),
            (
                "Phone/liveActivity/match-2", "a5",
                ["Phone/liveActivity/match-2", "Phone", "Phone", "Phone", "Phone/liveActivity"]
            ),
            ("Old", "e2", ["Old", "Old"]),
        ] as [(String, String, [String])]
    )
    func gatewayFindsDevicesByName(_ name: String, token: String, names: [String]) async throws {
        let found = try await Self.search(name)
        #expect(found.token.rawValue == token)
        #expect(found.names.map { $0 ?? "" } == names)
    }

    /// A name of hexadecimal digits may be the start of a token, too.
    @Test func startOfATokenIsFoundAmongAllDevices() async throws {
        let found = try await Self.search("c2")
        #expect(found.token == "c2")
        #expect(found.names.allSatisfy { $0 == nil })
    }

    @Test func suggestionNeedsAllDevices() async throws {
        let failure = await #expect(throws: CommandFailure.self) { _ = try await Self.search("Phonee") }
        #expect(failure?.message?.hasSuffix("did you mean 'Phone'?") == true)
    }
}
