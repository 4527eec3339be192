internal import Cryptography
internal import GatewayStore
internal import Hummingbird
internal import LocalService
internal import PushRules
internal import TextBasics
internal import WaypostSchema

/// `/v1/keys`: the keys that verify provider tokens.
struct KeyRoutes {
    let keys: ProviderKeyService

    func add(to router: Router<ServiceContext>) {
        router.get("v1/keys") { request, _ in
            try JSONResponse.make(try await keys.list(in: try request.namespace))
        }
        router.get("v1/key-uses") { request, _ in
            try JSONResponse.make(keys.keys.uses(in: try request.namespace))
        }
        router.post("v1/keys") { request, _ in
            let namespace = try request.namespace
            let key = try await JSONBody.decode(ProviderKey.self, from: request)
            return try JSONResponse.make(try await keys.set(key, in: namespace), status: .created)
        }
        router.delete("v1/keys/:id") { request, context in
            let id = ProviderKeyID(rawValue: try context.parameters.require("id"))
            try await keys.remove(id, in: try request.namespace)
            return Response(status: .noContent)
        }
    }
}

/// The keys that verify provider tokens: the store has them, and each gateway a copy for its requests.
struct ProviderKeyService: Sendable {
    let store: StoreAccess
    let keys: ProviderKeys

    /// Whether unusual tokens are refused.
    let isStrict: Bool

    /// Adds a key for provider tokens, or replaces the one that has its identifier.
    ///
    /// - Throws: `GatewayError.badParameter` if the key cannot be used.
    func set(_ key: ProviderKey, in namespace: Namespace) async throws(GatewayError) -> ProviderKey {
        try Self.check(key.id.rawValue, named: "id")
        try Self.check(key.team.rawValue, named: "team")
        guard key.topics?.isEmpty != true else {
            throw .badParameter(name: "topics", "the list is empty; omit 'topics' for a key of every topic")
        }
        let publicKey = try Self.publicKey(of: key)
        try await store.call(creating: namespace) { store, _ in try await store.setKey(key, in: namespace) }
        keys.add(key, publicKey, in: namespace)
        // A concurrent read, whose result is no longer used, may have had changes of another gateway.
        await reload()
        return key
    }

    /// Removes a key: tokens that it has signed are no longer valid.
    ///
    /// - Throws: `GatewayError.unknownKey` if there is no such key.
    func remove(_ id: ProviderKeyID, in namespace: Namespace) async throws(GatewayError) {
        guard try await store.call({ try await $0.removeKey(id, in: namespace) }) else { throw .unknownKey(id) }
        keys.remove(id, in: namespace)
        await reload()
    }

    /// Returns the keys of a namespace, sorted by identifier.
    func list(in namespace: Namespace) async throws(GatewayError) -> [ProviderKey] {
        try await store.call { try await $0.keys() }[namespace] ?? []
    }

    /// Copies the stored keys into memory; a key that can no longer be used is left out.
    func load() async throws(GatewayError) {
        let number = keys.beginReload()
        let stored = try await store.call { try await $0.keys() }
        keys.replaceAll(
            with: stored.mapValues { keys in
                keys.compactMap { key in
                    (try? Self.publicKey(of: key)).map { ProviderKeys.VerificationKey(key: key, publicKey: $0) }
                }
            },
            reload: number
        )
    }

    /// Copies the stored keys again.
    func reload() async {
        await store.reload("the provider keys") { () async throws(GatewayError) in try await load() }
    }

    /// Whether an `authorization` header contains a provider token that a key has signed and that has not expired.
    func isProvider(_ authorization: String?) -> Bool {
        var sender = ProviderAuthentication(.token, isStrict: isStrict)
        do throws(ProviderRefusal) {
            let now = store.clocks.cachedNow(in: .standard)
            // The items of a batch may be for any topic, so a key that is limited to some topics is not enough.
            _ = try sender.admit(ProviderClaim(authorization: authorization, topic: ""), keys, at: now)
            return true
        } catch {
            return false
        }
    }

    private static func check(_ string: String, named name: String) throws(GatewayError) {
        guard string.isASCIIWord, (1...64).contains(string.utf8.count) else {
            throw .badParameter(name: name, "'\(string)' must be 1 to 64 letters and digits; Apple's have ten")
        }
    }

    private static func publicKey(of key: ProviderKey) throws(GatewayError) -> P256PublicKey {
        if let publicKey = P256PublicKey(pem: key.publicKey) { return publicKey }
        throw .badParameter(
            name: "publicKey",
            "it must be a P-256 public key in PEM ('BEGIN PUBLIC KEY'): openssl ec -in AuthKey.p8 -pubout"
        )
    }
}

extension String {
    /// Whether the string consists only of ASCII letters and digits.
    var isASCIIWord: Bool {
        utf8.allSatisfy(\.isASCIIAlphanumeric)
    }
}
