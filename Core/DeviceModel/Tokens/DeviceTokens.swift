public import WaypostSchema

/// The tokens of the apps that have tokens of their own.
///
/// An app requests a token, and the gateway assigns one: the device never makes one. A token that ended stays here
/// until the gateway has unregistered it.
public struct DeviceTokens: Sendable, Codable, Equatable {
    /// The tokens that apps have or have requested, in the order of the requests.
    public private(set) var current: [AppToken] = []

    /// The tokens that ended, and that the gateway has not unregistered yet.
    public private(set) var ended: [AppToken] = []

    /// The ended tokens in place of which an app gets others; `nil` for none.
    private var renewed: [DeviceToken]?

    /// The purposes for which an app gets another token; `nil` for none.
    private var renewedPurposes: [TokenPurpose]?

    /// Whether the gateway has assigned and unregistered every token.
    public var isSettled: Bool {
        ended.isEmpty && current.allSatisfy { $0.token != nil }
    }

    /// Returns whether a token ended because its app gets another one, so that senders learn of it late.
    public func isRenewed(_ token: DeviceToken) -> Bool {
        renewed?.contains(token) == true
    }

    /// Returns whether an app gets another token for a purpose in place of one that ended.
    func isRenewed(_ purpose: TokenPurpose) -> Bool {
        renewedPurposes?.contains(purpose) == true
    }

    /// Returns the purpose of a token, also of one that ended; `nil` if no app has or had it.
    func purpose(of token: DeviceToken) -> TokenPurpose? {
        (current + ended).first { $0.token == token }?.purpose
    }

    /// Returns the token for a purpose; `nil` if there is none.
    func token(for purpose: TokenPurpose) -> DeviceToken? {
        current.first { $0.purpose == purpose }?.token
    }

    /// Returns whether an app has or has requested a token for a purpose.
    func contains(_ purpose: TokenPurpose) -> Bool {
        index(of: purpose) != nil
    }

    private func index(of purpose: TokenPurpose) -> Int? {
        current.firstIndex { $0.purpose == purpose }
    }

    /// Requests a token, unless the app has or has requested one for the purpose.
    mutating func request(_ purpose: TokenPurpose) {
        guard !contains(purpose) else { return }
        current.append(AppToken(for: purpose))
    }

    /// Ends the tokens for some purposes.
    ///
    /// - Returns: the purposes for which an app had a token.
    mutating func end(where isEnded: (TokenPurpose) -> Bool) -> [TokenPurpose] {
        let endedTokens = current.filter { isEnded($0.purpose) && $0.token != nil }
        renewedPurposes?.removeAll(where: isEnded)
        current.removeAll { isEnded($0.purpose) }
        ended += endedTokens
        return endedTokens.map(\.purpose)
    }

    /// Stores a token that the gateway assigned; one that no app waits for any more ends at once.
    ///
    /// - Returns: whether an app has another token now.
    mutating func assign(_ token: DeviceToken, to purpose: TokenPurpose) -> Bool {
        guard let index = index(of: purpose) else {
            let endedToken = AppToken(token, for: purpose)
            if !ended.contains(endedToken) { ended.append(endedToken) }
            return false
        }
        let previous = current[index]
        guard previous.token != token else { return false }
        if previous.token != nil { ended.append(previous) }
        current[index].token = token
        renewedPurposes?.removeAll { $0 == purpose }
        return true
    }

    /// Ends a token for which another one is requested at once; the app still has the earlier one until then.
    ///
    /// - Returns: whether there was a token.
    mutating func renew(_ purpose: TokenPurpose) -> Bool {
        guard let index = index(of: purpose), let token = current[index].token else { return false }
        ended.append(current[index])
        current[index].token = nil
        renewed = (renewed ?? []) + [token]
        renewedPurposes = (renewedPurposes ?? []) + [purpose]
        return true
    }

    /// Removes a token that the gateway does not have any more; if an app has it, the token ends and another one is
    /// requested.
    ///
    /// - Returns: the purpose for which an app has no token now, or `nil`.
    mutating func invalidate(_ token: DeviceToken) -> TokenPurpose? {
        ended.removeAll { $0.token == token }
        renewed?.removeAll { $0 == token }
        guard let index = current.firstIndex(where: { $0.token == token }) else { return nil }
        ended.append(current[index])
        current[index].token = nil
        return current[index].purpose
    }

    /// Requests all tokens again, because those of this device are another device's, of which it is a copy.
    mutating func requestAgain() {
        for index in current.indices { current[index].token = nil }
        ended = []
        (renewed, renewedPurposes) = (nil, nil)
    }

    /// Takes the tokens of the current device for the purposes of an earlier one, so that no token comes back that
    /// ended since.
    mutating func replaceTokens(with currentTokens: DeviceTokens) {
        for index in current.indices { current[index].token = currentTokens.token(for: current[index].purpose) }
        (renewed, renewedPurposes) = (currentTokens.renewed, currentTokens.renewedPurposes)
        ended = currentTokens.ended + currentTokens.current.filter { $0.token != nil && !contains($0.purpose) }
    }
}
