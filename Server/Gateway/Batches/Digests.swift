internal import Cryptography
internal import GatewayStore
internal import TextBasics
internal import WaypostSchema

// SHA-256, and what is derived from it.

extension SecretDigest {
    /// Creates the digest of a secret.
    init(of secret: BearerSecret) {
        self.init(bytes: SHA256.hash(of: Array(secret.rawValue.utf8)))
    }
}

/// The fingerprint that distinguishes batches with the same idempotency key: the body, and whether it is atomic.
enum BatchFingerprint {
    static func make(_ body: [UInt8], isAtomic: Bool) -> [UInt8] {
        let digest = SHA256()
        digest.update(body)
        digest.update([isAtomic ? 1 : 0])
        return digest.finish()
    }
}

/// The identifiers of items that the sender gave none.
enum ItemIdentifiers {
    /// Returns the identifier of the item at `index` of the batch that `key` identifies.
    ///
    /// It is derived from the key, so that an item gets the same identifier when the batch is sent again, and from the
    /// body, so that a key that is reused for another batch a day later gives other identifiers. It is a UUID of
    /// version 8 (RFC 9562, 5.8).
    static func derived(from key: IdempotencyKey, in namespace: Namespace, index: Int) -> NotificationID {
        let name = "waypost item\u{0}\(namespace)\u{0}\(key.key)\u{0}\(index)\u{0}"
        let digest = Array(SHA256.hash(of: Array(name.utf8) + key.fingerprint).prefix(16))
        return NotificationID(rawValue: UUIDString.make(digest, version: 8))
    }
}
