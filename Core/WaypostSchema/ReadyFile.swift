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

/// The ready file that an agent writes once it is registered and its control API accepts connections.
public struct AgentReadyFile: Codable, Sendable, Equatable {
    /// The base URL of the control API; `http+unix://` with the escaped path for a Unix domain socket.
    public var control: String

    /// The base URL of the app API, in the same form.
    public var apps: String?

    /// The token that requests to the control API need; absent if they need none.
    public var controlToken: String?

    /// Creates the value from its parts.
    public init(control: String, apps: String? = nil, controlToken: String? = nil) {
        self.control = control
        self.apps = apps
        self.controlToken = controlToken
    }
}

/// The response to `GET /health` of a gateway or an agent, and to `GET /health/live` and `GET /health/ready` of a
/// gateway.
public struct Health: Codable, Sendable, Equatable {
    /// The status: `ok`, or `notReady` if one of `checks` failed.
    public var status: String

    /// The schema version that the process uses.
    public var schema: Int

    /// The gateway's store.
    public var store: String?

    /// The version of the program.
    public var version: String?

    /// The build of the gateway, `debug` or `release`: a debug build needs several times the processor time.
    public var build: String?

    /// The base URL of the gateway's courier listener, for agents; absent while it does not listen.
    public var courier: String?

    /// The checks, each with `ok` or a description of the problem; only in the response of `GET /health/ready`.
    public var checks: [String: String]?

    /// The gateways on the store, in the order in which they came; absent if the store has room for one only.
    public var gateways: [Gateway]?

    /// A gateway on a store that several share.
    public struct Gateway: Codable, Sendable, Equatable {
        /// Its number, never used again.
        public var number: Int

        /// The base URL of its courier listener; absent while it does not listen.
        public var courier: String?

        /// When it came, on the clock of the store.
        public var joined: Timestamp

        /// Whether it is the gateway that answers.
        public var isSelf: Bool

        /// Whether it does the work that one gateway does for all.
        public var leads: Bool

        private enum CodingKeys: String, CodingKey {
            case number
            case courier
            case joined
            case isSelf = "self"
            case leads
        }

        /// Creates the value from its parts.
        public init(number: Int, courier: String?, joined: Timestamp, isSelf: Bool, leads: Bool) {
            self.number = number
            self.courier = courier
            self.joined = joined
            self.isSelf = isSelf
            self.leads = leads
        }
    }

    /// Creates the value from its parts.
    public init(
        status: String = "ok",
        schema: Int,
        store: String? = nil,
        version: String? = nil,
        build: String? = nil,
        courier: String? = nil,
        checks: [String: String]? = nil,
        gateways: [Gateway]? = nil
    ) {
        self.status = status
        self.schema = schema
        self.store = store
        self.version = version
        self.build = build
        self.courier = courier
        self.checks = checks
        self.gateways = gateways
    }
}

/// The version of this schema.
///
/// Within a version, the schema only grows.
public enum SchemaVersion {
    /// The version that this code uses.
    public static let current = 1
}

/// The version of the programs.
public enum ProgramVersion {
    /// The version of this code, by https://semver.org.
    public static let current = "0.2.0"
}
