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

    /// The base URL of the gateway's provider listener with TLS; absent if it has none.
    public var provider: String?

    /// The base URL of the gateway's provider listener without TLS; absent if it has none.
    public var providerPlaintext: String?

    /// Whether everyone who can reach the gateway may call it without a token; absent if not.
    public var trustsNetwork: Bool?

    /// The checks, each with `ok` or a description of the problem; only in the response of `GET /health/ready`.
    public var checks: [String: String]?

    /// The number of devices whose streams a gateway is opening, with those that wait for their turn.
    public var openingSessions: Int?

    /// The number of streams that have closed and whose ends a gateway has not recorded yet.
    public var endingSessions: Int?

    /// A description of what takes longer than usual, although the status is `ok`; absent if nothing does.
    public var notice: String?

    /// The gateways on the store, in the order in which they joined; absent if the store has room for one only.
    public var gateways: [Gateway]?

    /// A gateway on a store that several share.
    public struct Gateway: Codable, Sendable, Equatable {
        /// Its number, never used again.
        public var number: Int

        /// The base URL of its courier listener; absent while it does not listen.
        public var courier: String?

        /// The time at which it joined, on the clock of the store.
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
        provider: String? = nil,
        providerPlaintext: String? = nil,
        trustsNetwork: Bool? = nil,
        checks: [String: String]? = nil,
        openingSessions: Int? = nil,
        endingSessions: Int? = nil,
        notice: String? = nil,
        gateways: [Gateway]? = nil
    ) {
        self.status = status
        self.schema = schema
        self.store = store
        self.version = version
        self.build = build
        self.courier = courier
        self.provider = provider
        self.providerPlaintext = providerPlaintext
        self.trustsNetwork = trustsNetwork
        self.checks = checks
        self.openingSessions = openingSessions
        self.endingSessions = endingSessions
        self.notice = notice
        self.gateways = gateways
    }
}
