internal import WaypostSchema

/// The tokens of a device that a run has seen, as a back end stores them.
struct SeenTokens {
    /// The tokens that apps have or have requested.
    private(set) var current: [AppToken] = []

    /// The tokens of apps that ended, the latest last.
    private(set) var ended: [AppToken] = []

    /// The tokens of apps that ended, and of which the run has not seen yet that the gateway unregistered them.
    private var unconfirmedEnds: [DeviceToken] = []

    /// The earlier tokens of the device itself, the latest last.
    private(set) var endedDeviceTokens: [DeviceToken] = []

    /// The apps that have or had tokens.
    var apps: Set<BundleIdentifier> {
        Set((current + ended).map(\.purpose.app))
    }

    /// Records the tokens that apps have now.
    mutating func update(_ tokens: [AppToken]) {
        let newlyEnded = current.filter { $0.token != nil && !tokens.contains($0) }
        ended += newlyEnded
        unconfirmedEnds += newlyEnded.compactMap(\.token)
        current = tokens
    }

    /// Returns the tokens that ended since the last call, which the gateway unregisters once the device is connected.
    mutating func takeUnconfirmedEnds() -> [DeviceToken] {
        defer { unconfirmedEnds = [] }
        return unconfirmedEnds
    }

    /// Records a token that the device had.
    mutating func recordEnd(of deviceToken: DeviceToken) {
        endedDeviceTokens.append(deviceToken)
    }

    /// Returns the tokens for some purposes that apps have, or else the last one that ended.
    func tokens(where matches: (TokenPurpose) -> Bool) -> [AppToken] {
        let tokens = current.filter { $0.token != nil && matches($0.purpose) }
        return tokens.isEmpty ? endedToken(where: matches) : tokens
    }

    /// Returns the last token for some purposes that ended; empty if none did.
    func endedToken(where matches: (TokenPurpose) -> Bool) -> [AppToken] {
        ended.last { matches($0.purpose) }.map { [$0] } ?? []
    }
}
