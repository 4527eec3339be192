internal import Cryptography
internal import Synchronization
internal import WaypostSchema

/// The keys that verify provider tokens, and the uses of their tokens.
final class ProviderKeys: Sendable {
    /// A key of a namespace.
    struct VerificationKey: Sendable {
        var key: ProviderKey
        var publicKey: P256PublicKey
    }

    private struct State {
        var reloadOrder = ReloadOrder()
        var keys: [ProviderKeyID: [Namespace: VerificationKey]] = [:] {
            didSet { version += 1 }
        }

        /// The number of changes of the keys.
        var version = 0

        /// By public key, because another key may have the same identifier.
        var uses: [String: ProviderTokenHistory] = [:]

        /// The keys of namespaces that are being deleted, except those that were added again.
        var keysToRemove: [Namespace: Set<ProviderKeyID>] = [:]

        mutating func remove(_ id: ProviderKeyID, in namespace: Namespace) {
            reloadOrder.recordChange()
            let removedKey = keys[id]?.removeValue(forKey: namespace)
            if keys[id]?.isEmpty == true { keys[id] = nil }
            if let removedKey { uses[removedKey.key.publicKey] = nil }
        }
    }

    private let state = Mutex(State())

    /// Adds a key, or replaces the one that has its identifier.
    func add(_ key: ProviderKey, _ publicKey: P256PublicKey, in namespace: Namespace) {
        state.withLock { state in
            state.reloadOrder.recordChange()
            state.keys[key.id, default: [:]][namespace] = VerificationKey(key: key, publicKey: publicKey)
            state.keysToRemove[namespace]?.remove(key.id)
        }
    }

    /// Begins a read of all keys; returns its number.
    func beginReload() -> Int {
        state.withLock { $0.reloadOrder.beginRead() }
    }

    /// Replaces all keys by those of a read, unless they have changed since; the uses of those that stay are kept.
    func replaceAll(with storedKeys: [Namespace: [VerificationKey]], reload number: Int) {
        state.withLock { state in
            guard state.reloadOrder.acceptRead(number) else { return }
            state.keys = [:]
            for (namespace, keys) in storedKeys {
                for key in keys { state.keys[key.key.id, default: [:]][namespace] = key }
            }
            let publicKeys = Set(storedKeys.values.joined().lazy.map(\.key.publicKey))
            state.uses = state.uses.filter { publicKeys.contains($0.key) }
        }
    }

    /// Removes a key: tokens that it has signed are no longer valid.
    func remove(_ id: ProviderKeyID, in namespace: Namespace) {
        state.withLock { $0.remove(id, in: namespace) }
    }

    /// Deletes a namespace, and then removes the keys that it had before, except those that were added again meanwhile.
    ///
    /// - Parameters:
    ///   - namespace: the namespace.
    ///   - deletion: deletes the namespace in the store.
    /// - Returns: the result of `deletion`.
    /// - Throws: the error of `deletion`; all keys stay then.
    func removeAll<Value: Sendable>(
        in namespace: Namespace,
        _ deletion: () async throws(GatewayError) -> Value
    ) async throws(GatewayError) -> Value {
        state.withLock { state in
            state.keysToRemove[namespace] = Set(state.keys.filter { $1[namespace] != nil }.keys)
        }
        do throws(GatewayError) {
            let value = try await deletion()
            state.withLock { state in
                for id in state.keysToRemove.removeValue(forKey: namespace) ?? [] { state.remove(id, in: namespace) }
            }
            return value
        } catch {
            state.withLock { $0.keysToRemove[namespace] = nil }
            throw error
        }
    }

    /// Returns the keys that have an identifier, sorted by namespace.
    func keys(with id: ProviderKeyID) -> [VerificationKey] {
        let candidates = state.withLock { $0.keys[id] ?? [:] }
        return candidates.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
    }

    /// The number of changes of the keys: while it stays the same, each key is as it was.
    var version: Int {
        state.withLock(\.version)
    }

    /// Whether a key still exists and is unchanged.
    func contains(_ key: ProviderKey) -> Bool {
        state.withLock { $0.keys[key.id]?.values.contains { $0.key == key } ?? false }
    }

    /// Records a use of a key's token on any connection (`ProviderTokenHistory`).
    func recordUse(
        of token: Substring,
        with key: ProviderKey,
        at now: Timestamp,
        refusesTooSoon: Bool
    ) -> ProviderTokenHistory.Use {
        state.withLock { state in
            state.uses[key.publicKey, default: ProviderTokenHistory(at: now)]
                .recordUse(of: token, at: now, refusesTooSoon: refusesTooSoon)
        }
    }

    /// Records a use of a key's token that its connection has used before.
    func recordKnownUse(of key: ProviderKey, at now: Timestamp) {
        state.withLock { $0.uses[key.publicKey]?.recordKnownUse(at: now) }
    }

    /// Returns the uses of the keys of a namespace since the gateway started, sorted by key.
    func uses(in namespace: Namespace) -> [ProviderKeyUse] {
        state.withLock { state in
            let keys = state.keys.values.compactMap { $0[namespace]?.key }.sorted { $0.id.rawValue < $1.id.rawValue }
            return keys.compactMap { key in
                state.uses[key.publicKey].map {
                    ProviderKeyUse(id: key.id, tokenSince: $0.lastTokenChange, lastUse: $0.lastUse)
                }
            }
        }
    }
}
