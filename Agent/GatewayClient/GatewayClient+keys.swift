package import WaypostSchema

extension GatewayClient {
    /// Adds a key that provider tokens are verified with, or puts it in the place of the one that has its identifier.
    package func addKey(_ key: ProviderKey, in namespace: Namespace? = nil) async throws(CallError) -> ProviderKey {
        try await service.post("/v1/keys", key, headers: NamespaceHeader.fields(namespace))
    }

    /// Returns the keys that provider tokens are verified with, by identifier.
    package func keys(in namespace: Namespace? = nil) async throws(CallError) -> [ProviderKey] {
        try await service.get("/v1/keys", headers: NamespaceHeader.fields(namespace))
    }

    /// Revokes a key.
    package func removeKey(_ id: ProviderKeyID, in namespace: Namespace? = nil) async throws(CallError) {
        try await service.delete(
            "/v1/keys/" + PathText.escaped(id.rawValue),
            headers: NamespaceHeader.fields(namespace)
        )
    }
}
