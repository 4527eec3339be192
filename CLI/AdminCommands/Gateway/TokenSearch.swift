internal import GatewayClient
internal import PushRules
internal import TextBasics
internal import TextReports
internal import WaypostSchema

/// The name by which commands find a token: that of its device, with the purpose if it has one.
struct TokenName: Hashable {
    /// The name of the device.
    let device: String

    /// The purpose of the token.
    let purpose: TokenPurpose?

    init(device: String, purpose: TokenPurpose?) {
        (self.device, self.purpose) = (device, purpose)
    }

    init(_ device: RegisteredDevice) {
        self.init(device: device.name, purpose: device.purpose)
    }

    /// The name with the kind, such as `Phone/voip`.
    var withKind: String {
        purpose.map { "\(device)/\($0.kind.rawValue)" } ?? device
    }

    /// The name with the kind and what distinguishes tokens of that kind, such as `Phone/liveActivity/match-1`.
    var withDetail: String {
        purpose.map { "\(withKind)/\($0.name ?? $0.app.rawValue)" } ?? device
    }

    /// Whether `path` is one of the names of the token, apart from that of its device.
    func isNamed(_ path: String) -> Bool {
        guard let purpose else { return false }
        return [withKind, withDetail, "\(withKind)/\(purpose.app)"].contains(path)
    }

    /// Returns the shortest name that differs from those of other tokens.
    func shortest(among names: [Self]) -> String {
        names.contains { $0 != self && $0.withKind == withKind } ? withDetail : withKind
    }

    /// Returns the shortest names that are different, in order.
    static func shortest(_ names: [Self]) -> [String] {
        let distinctNames = Array(Set(names))
        return Set(distinctNames.map { $0.shortest(among: distinctNames) }).sorted()
    }
}

/// A search for the token that a name or the start of a token means, in the registrations of a namespace.
struct TokenSearch {
    /// The data that a command reads for each token of a device.
    enum Subject {
        /// The inbox, which a token that ended seldom has.
        case inbox

        /// The delivery log, in which a token that ended still has notifications.
        case log
    }

    /// The maximum number of tokens of a device whose notifications a command looks up, with a request for each.
    static let maximumLogTokens = 100

    /// The maximum number of names or tokens in a message.
    private static let maximumListedCount = 10

    private let name: String
    private let tokenPrefix: String
    private var matches: [RegisteredDevice] = []
    private var inactiveMatches: [RegisteredDevice] = []
    private var names: [TokenName] = []

    /// The tokens with notifications in their inboxes; one that is unregistered from a later time on may have some.
    private var tokensWithInbox: Set<DeviceToken> = []

    /// Creates the search for a name, a token, or the start of a token, which may end in `…` as in a table.
    init(_ name: String) {
        self.name = name
        tokenPrefix = name.hasSuffix("…") ? String(name.dropLast()) : name
    }

    /// The token, if it is a whole one, which needs no search.
    var wholeToken: DeviceToken? {
        tokenPrefix.count >= 64 && !tokenPrefix.contains("/") ? DeviceToken(rawValue: tokenPrefix) : nil
    }

    /// The names of devices that the name may begin with; none if it may be the start of a token, too.
    var deviceNames: [String] {
        guard !tokenPrefix.allSatisfy(\.isHexDigit) else { return [] }
        let prefixes = name.indices.filter { name[$0] == "/" }.map { String(name[..<$0]) }
        return [name] + prefixes.filter { !$0.isEmpty }
    }

    /// Whether a registration has the name.
    private var hasMatches: Bool {
        !matches.isEmpty || !inactiveMatches.isEmpty
    }

    /// Compares a registration with `stored` notifications in its inbox; returns whether it has exactly the token.
    mutating func add(_ device: RegisteredDevice, stored: Int = 0) -> Bool {
        if stored > 0 { tokensWithInbox.insert(device.token) }
        if device.token.rawValue == tokenPrefix { return true }
        let hasTokenPrefix = device.token.rawValue.hasPrefix(tokenPrefix.lowercased())
        let tokenName = TokenName(device)
        let isNamed = device.name == name || tokenName.isNamed(name)
        // Load tests leave many inactive devices with the same names.
        if device.standing == .active || hasTokenPrefix {
            if isNamed || hasTokenPrefix { matches.append(device) }
            names.append(tokenName)
        } else if isNamed {
            inactiveMatches.append(device)
        }
        return false
    }

    /// Returns the token, after all registrations were added.
    ///
    /// A name without a kind means the token without a purpose or, if there is none, that of the app. If no active
    /// token has the name, it is that of the last one that is not active.
    ///
    /// - Throws: `CommandFailure` if there is no such token, or several.
    func result() throws(CommandFailure) -> DeviceToken {
        let candidates = preferred(among: matches)
        if candidates.count == 1 { return candidates[0].token }
        // A token that is expired or unregistered has its name until another device has it.
        if candidates.isEmpty, let last = preferred(among: inactiveMatches).max(by: { $0.since < $1.since }) {
            return last.token
        }
        guard candidates.isEmpty else { throw ambiguity(of: candidates) }
        throw .failed("there is no device or token '\(name)' in this namespace; \(hint)")
    }

    /// Returns the registration of an app's token that a notification is for, if the name is that of a device.
    ///
    /// - Parameter item: the notification.
    /// - Returns: the registration; `nil` if no app on the device has such a token, so that `result` is the token.
    /// - Throws: `CommandFailure` if there are several.
    func appToken(for item: BatchItem) throws(CommandFailure) -> RegisteredDevice? {
        let tokensOfDevice = matches.filter { $0.name == name }
        // If several devices have the name, it decides nothing.
        guard tokensOfDevice.count(where: { $0.purpose == nil }) <= 1 else { return nil }
        let candidates = tokensOfDevice.filter { $0.purpose?.isFor(item.topic, payload: item.payload) == true }
        guard candidates.count <= 1 else { throw ambiguity(of: candidates) }
        return candidates.first
    }

    /// Returns the tokens that a name means: one or, if it is that of a device, also those of its apps.
    ///
    /// Each ended Live Activity leaves a token. Its inbox counts only if it has notifications. In the log, of more than
    /// `maximumLogTokens` tokens only the active ones and the last ones that ended count.
    ///
    /// - Parameter subject: the data that is read for each token.
    /// - Returns: the tokens.
    /// - Throws: `CommandFailure`, as `result`.
    func results(for subject: Subject) throws(CommandFailure) -> [DeviceToken] {
        let token = try result()
        let appTokens = (matches + inactiveMatches).filter {
            $0.name == name && $0.purpose != nil && $0.token != token
        }
        switch subject {
        case .inbox:
            let relevant = appTokens.filter { $0.standing == .active || tokensWithInbox.contains($0.token) }
            return [token] + relevant.map(\.token)
        case .log:
            guard appTokens.count >= Self.maximumLogTokens else { return [token] + appTokens.map(\.token) }
            let active = appTokens.filter { $0.standing == .active }.sorted { $0.since > $1.since }
            let ended = appTokens.filter { $0.standing != .active }.sorted { $0.since > $1.since }
            return [token] + (active + ended).prefix(Self.maximumLogTokens - 1).map(\.token)
        }
    }

    private func ambiguity(of candidates: [RegisteredDevice]) -> CommandFailure {
        let listed = candidates.prefix(Self.maximumListedCount)
            .map { "\(TokenName($0).withDetail) (\($0.token.shortText))" }
        return .unusable("'\(name)' could be \(candidates.count) tokens: \(listed.joined(separator: ", "))")
    }

    /// Returns the devices without those that have the name, but another purpose than the preferred one.
    private func preferred(among devices: [RegisteredDevice]) -> [RegisteredDevice] {
        let named = devices.filter { $0.name == name }
        for kind in [nil, .app] as [TokenPurpose.Kind?] where named.contains(where: { $0.purpose?.kind == kind }) {
            return devices.filter { $0.name != name || $0.purpose?.kind == kind }
        }
        return devices
    }

    /// The names of the device's tokens if only the kind is wrong, or else the nearest name.
    private var hint: String {
        let namesOnDevice = names.filter { name.hasPrefix($0.device + "/") }
        if !namesOnDevice.isEmpty {
            let listed = TokenName.shortest(namesOnDevice).prefix(Self.maximumListedCount)
            return "its device has \(listed.joined(separator: ", "))"
        }
        let nearest = name.nearest(among: names.map(\.device) + names.map(\.withKind))
        return nearest.map { "did you mean '\($0)'?" } ?? "see 'waypost tokens list'"
    }
}

extension TokenSearch {
    /// The outcome of a search at a gateway.
    enum Outcome {
        /// The name is a whole token.
        case token(DeviceToken)

        /// The registrations that may have the name were read.
        case registrations(TokenSearch)

        /// Returns the only token.
        ///
        /// - Throws: `CommandFailure` if there is no such token, or several.
        func result() throws(CommandFailure) -> DeviceToken {
            switch self {
            case .token(let token): token
            case .registrations(let search): try search.result()
            }
        }
    }

    /// Searches the registrations of a gateway for a name, or for a token that begins with it.
    ///
    /// The gateway finds devices by name. It lists all of them only for the start of a token, and to suggest a name.
    ///
    /// - Parameters:
    ///   - name: the name, or the start of the token.
    ///   - page: returns the page after a token of the devices with a name, or of all.
    /// - Returns: the outcome.
    /// - Throws: what `page` throws.
    static func outcome(
        for name: String,
        page: (_ deviceName: String?, _ after: DeviceToken?) async throws -> DevicePage
    ) async throws -> Outcome {
        var search = Self(name)
        if let token = search.wholeToken { return .token(token) }
        for deviceName in search.deviceNames {
            if let token = try await search.addDevices(named: deviceName, page) { return .token(token) }
        }
        if search.hasMatches { return .registrations(search) }
        if let token = try await search.addDevices(named: nil, page) { return .token(token) }
        return .registrations(search)
    }

    /// Compares all devices with a name, or all devices; returns the token if one has exactly it.
    private mutating func addDevices(
        named deviceName: String?,
        _ page: (_ deviceName: String?, _ after: DeviceToken?) async throws -> DevicePage
    ) async throws -> DeviceToken? {
        var next: DeviceToken?
        repeat {
            let devices = try await page(deviceName, next)
            for listedDevice in devices.devices {
                let isFound = add(listedDevice.device, stored: listedDevice.stored)
                if isFound { return listedDevice.device.token }
            }
            next = devices.next
        } while next != nil
        return nil
    }
}

extension GatewayClient {
    /// Returns the token with a name, or that begins with `name` (`TokenSearch`).
    ///
    /// - Throws: `CommandFailure` if there is no such token, or several.
    func token(named name: String) async throws -> DeviceToken {
        try await search(for: name).result()
    }

    /// Returns the tokens that a name means, see `TokenSearch.results`.
    ///
    /// - Throws: `CommandFailure` if there is no such token, or several devices have the name.
    func tokens(named name: String, for subject: TokenSearch.Subject) async throws -> [DeviceToken] {
        switch try await search(for: name) {
        case .token(let token): [token]
        case .registrations(let search): try search.results(for: subject)
        }
    }

    /// Returns the token to which a notification for a device or token with a name goes, and the registration of an
    /// app's token that was chosen.
    ///
    /// - Throws: `CommandFailure` if there is no such token, or several.
    func recipient(
        named name: String,
        of item: BatchItem
    ) async throws -> (token: DeviceToken, chosen: RegisteredDevice?) {
        switch try await search(for: name) {
        case .token(let token): return (token, nil)
        case .registrations(let search):
            if let chosen = try search.appToken(for: item) { return (chosen.token, chosen) }
            return (try search.result(), nil)
        }
    }

    private func search(for name: String) async throws -> TokenSearch.Outcome {
        try await TokenSearch.outcome(for: name) { deviceName, next in
            try await devices(after: next, named: deviceName)
        }
    }
}
