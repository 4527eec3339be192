internal import GatewayStore
internal import TextBasics
internal import WaypostSchema

/// The secrets of agents.
extension DeliveryService {
    /// Replaces the secret of an agent, whose streams stay open.
    ///
    /// The request may be repeated if its answer was lost: the new secret then is the agent's already.
    ///
    /// - Throws: `GatewayError.malformedBody` if the new secret is not of the form of those that the gateway generates,
    ///   `unauthorized` if no agent has either secret, and `secretTaken`.
    func rotateSecret(_ secret: BearerSecret, to next: BearerSecret) async throws(GatewayError) {
        let (old, new) = (SecretDigest(of: secret), SecretDigest(of: next))
        let owner = try await store.call { try await $0.agent(withDigest: new) }
        let holder = try await store.call { try await $0.agent(withDigest: old) }
        guard let agent = holder ?? owner else { throw .unauthorized }
        let digits = next.rawValue.utf8
        guard digits.count == 64, digits.allSatisfy({ $0.isHexadecimalDigit && $0.lowercasedASCII == $0 }),
            StoreRange(of: next.rawValue) == StoreRange(of: secret.rawValue)
        else {
            throw .malformedBody(
                "'secret': send 64 lowercase hexadecimal digits, the first three of them those of the earlier secret"
            )
        }
        // The store looks for it in the namespace only.
        guard owner == nil || owner == agent else { throw .secretTaken }
        let outcome = try await store.call { try await $0.rotateSecret(from: old, to: new, in: agent.namespace) }
        switch outcome {
        case .rotated: break
        case .unknownSecret: throw .unauthorized
        case .secretTaken: throw .secretTaken
        }
    }
}
