/// What a gateway writes to its ready file once everything in it accepts connections.
public struct GatewayReadyFile: Codable, Sendable, Equatable {
    /// The base URL of the service listener.
    public var service: String

    /// The base URL of the courier listener.
    public var courier: String

    /// The base URL of the provider listener; absent where it does not run.
    public var provider: String?

    /// The base URL of the provider listener without TLS; absent where it does not run.
    public var providerPlaintext: String?

    /// The URL of the proxy that ends connections to Apple's push hosts; absent where it does not run.
    public var proxy: String?

    /// The certificate of the authority that signs for the listeners, which clients are to trust; absent where there is none.
    public var ca: String?

    /// The folder that notifications are kept in; absent where they are kept in memory.
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

/// What an agent writes to its ready file once it is registered and its control API accepts connections.
public struct AgentReadyFile: Codable, Sendable, Equatable {
    /// The base URL of the control API; `http+unix://` with the escaped path of a Unix domain socket where it is one.
    public var control: String

    /// The base URL of the app API, likewise.
    public var apps: String?

    /// Creates the value from its parts.
    public init(control: String, apps: String? = nil) {
        self.control = control
        self.apps = apps
    }
}

/// The answer to `GET /health` of a gateway or an agent, and to `GET /health/live` and `GET /health/ready` of a gateway.
public struct Health: Codable, Sendable, Equatable {
    /// `ok`; `notReady` where something of `checks` is not.
    public var status: String

    /// The version of the schema that the process speaks.
    public var schema: Int

    /// The gateway's store.
    public var store: String?

    /// The base URL of the gateway's courier listener, for agents; absent while it does not listen.
    public var courier: String?

    /// What was looked at, each with `ok` or a word for what is wrong; in the answer of `GET /health/ready` alone.
    public var checks: [String: String]?

    /// Creates the value from its parts.
    public init(
        status: String = "ok",
        schema: Int,
        store: String? = nil,
        courier: String? = nil,
        checks: [String: String]? = nil
    ) {
        self.status = status
        self.schema = schema
        self.store = store
        self.courier = courier
        self.checks = checks
    }
}

/// The version of this schema.
///
/// Within a version it only grows.
public enum SchemaVersion {
    /// The version that this code speaks.
    public static let current = 1
}
