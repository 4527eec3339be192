internal import Crypto
internal import GatewayStore
internal import WaypostSchema

// SHA-256, and what is derived from it.

extension SecretDigest {
    /// Creates the digest of a secret.
    init(of secret: AgentSecret) {
        self.init(bytes: Array(SHA256.hash(data: Array(secret.rawValue.utf8))))
    }
}

/// What tells two batches with one idempotency key apart: what was sent, and whether it is taken whole or not at all.
enum BatchFingerprint {
    static func make(_ body: [UInt8], isAtomic: Bool) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: body)
        hash.update(data: [isAtomic ? 1 : 0] as [UInt8])
        return Array(hash.finalize())
    }
}

/// The identifiers of items that came without one.
enum ItemIdentifiers {
    /// Returns the identifier of the item at `index` of the batch that `key` names.
    ///
    /// It follows from its arguments, so that an item has the same one when the batch is sent again (a UUID of version 8,
    /// RFC 9562, 5.8), and from what was sent, so that a key that is used for something else the day after gives others.
    static func derived(from key: IdempotencyKey, in namespace: Namespace, index: Int) -> NotificationID {
        let name = "waypost item\u{0}\(namespace)\u{0}\(key.key)\u{0}\(index)\u{0}"
        let digest = Array(SHA256.hash(data: Array(name.utf8) + key.fingerprint).prefix(16))
        return NotificationID(rawValue: UUIDText.make(digest, version: 8))
    }
}
