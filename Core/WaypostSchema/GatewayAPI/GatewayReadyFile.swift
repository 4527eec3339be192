/// The ready file that a gateway writes once all its listeners accept connections.
public struct GatewayReadyFile: Codable, Sendable, Equatable {
    /// The base URL of the service listener.
    public var service: String

    /// The base URL of the courier listener.
    public var courier: String

    /// The base URL of the provider listener; absent if it does not run.
    public var provider: String?

    /// The base URL of the provider listener without TLS; absent if it does not run.
    public var providerPlaintext: String?

    /// The URL of the proxy that terminates connections to Apple's push hosts; absent if it does not run.
    public var proxy: String?

    /// The certificate file of the authority that signs for the listeners, for clients to trust; absent if there is
    /// none.
    public var ca: String?

    /// The folder in which notifications are stored; absent if they are stored in memory.
    public var data: String?

    /// Creates the value from its parts.
    public init(
        service: String,
        courier: String,
        provider: String? = nil,
        providerPlaintext: String? = nil,
        proxy: String? = nil,
        ca: String? = nil,
        data: String? = nil
    ) {
        self.service = service
        self.courier = courier
        self.provider = provider
        self.providerPlaintext = providerPlaintext
        self.proxy = proxy
        self.ca = ca
        self.data = data
    }
}
