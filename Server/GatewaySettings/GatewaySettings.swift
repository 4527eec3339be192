package import Gateway
internal import HTTP2Sessions
package import LocalService
package import Logging
internal import PostgresStore
internal import WaypostSchema

/// The settings of a gateway, read from its options, its environment and a file.
package struct GatewaySettings: Sendable {
    /// The configuration of the gateway.
    package var configuration = GatewayConfiguration()

    /// The lowest level that is logged.
    package var logLevel = Logger.Level.notice

    /// The format of the log.
    package var logFormat = LogFormat.text

    /// Whether the gateway has a console.
    enum ConsoleChoice: String, CaseIterable {
        case on
        case off

        var isOn: Bool { self == .on }
    }

    /// The environment variable that names the settings file if the option `--config` does not.
    package static let fileVariable = Setting.prefix + "CONFIG"

    /// The minimum memory of a gateway.
    static let minimumMemory = ByteCount(count: 256 << 20)

    /// The default folder of the store.
    static let defaultDataFolder = "waypost-data"

    /// Creates the default settings.
    init() {
        configuration.providerPlaintext = ListenAddress(port: 7333)
        configuration.store = .sqlite(folder: Self.defaultDataFolder)
    }

    /// Reads the settings of a gateway.
    ///
    /// - Parameters:
    ///   - flags: the options of the command line, with their values.
    ///   - unknownFlags: the other arguments of the command line.
    ///   - environment: all environment variables of the process.
    ///   - file: the path of a settings file; `nil` for the file that the environment names, if any.
    /// - Throws: `SettingProblems` with everything that is wrong.
    package init(
        flags: [Setting: String],
        unknownFlags: [String] = [],
        environment: [String: String] = [:],
        file: String? = nil
    ) throws(SettingProblems) {
        let environmentFile = environment[Self.fileVariable].flatMap { $0.isEmpty ? nil : $0 }
        var reader = SettingReader(
            SettingSources(
                flags: flags,
                unknownFlags: unknownFlags,
                environment: environment,
                file: file ?? environmentFile
            )
        )
        self.init()
        read(&reader)
        guard reader.problems.isEmpty else { throw SettingProblems(problems: reader.problems) }
    }

    private mutating func read(_ reader: inout SettingReader) {
        readTrust(&reader)
        readListeners(&reader)
        configuration.allowedHosts = AllowedHosts(reader.hostNames(.allowedHost))
        configuration.isStrict = reader.bool(.strict) ?? configuration.isStrict
        configuration.readyFile = reader.string(.readyFile)
        let folder = reader.string(.data) ?? Self.defaultDataFolder
        configuration.store = reader.store(folder: folder)
        configuration.memory = reader.bytes(.memory, minimum: Self.minimumMemory)
        if let seconds = reader.seconds(.databaseWait, minimum: 0) {
            configuration.databaseWait.limit = .seconds(seconds)
        }
        configuration.authorityFolder = reader.string(.ca) ?? "\(folder)/ca"
        configuration.clock = reader.choice(.clock, ClockReading.Source.self) ?? configuration.clock
        configuration.authentication =
            reader.choice(.authentication, Authentication.self) ?? configuration.authentication
        configuration.tokenChurn = reader.choice(.tokenChurn, TokenChurnScope.self) ?? configuration.tokenChurn
        configuration.providerEnvironment = reader.environment(.providerEnvironment)
        configuration.missingExpiration =
            reader.choice(.missingExpiration, MissingExpiration.self) ?? configuration.missingExpiration
        recordUnprotectedListeners(&reader)
        configuration.console = reader.choice(.console, ConsoleChoice.self)?.isOn
        configuration.logRetention = reader.seconds(.logRetention, minimum: 0) ?? configuration.logRetention
        let redelivery = configuration.redelivery
        configuration.redelivery.initialDelay =
            reader.seconds(.redelivery, minimum: 1) ?? redelivery.initialDelay
        configuration.redelivery.maximumDelay = max(
            redelivery.maximumDelay,
            configuration.redelivery.initialDelay
        )
        logLevel = reader.choice(.logLevel, LogLevel.self)?.level ?? logLevel
        logFormat = reader.choice(.logFormat, LogFormat.self) ?? logFormat
    }

    private func recordUnprotectedListeners(_ reader: inout SettingReader) {
        let settings: [(GatewayListener, Setting)] = [
            (.service, .service), (.courier, .courier), (.provider, .provider),
            (.providerPlaintext, .providerPlaintext), (.proxy, .proxy),
        ]
        let errors = configuration.unprotectedListeners
        for (listener, setting) in settings {
            if let error = errors[listener] { reader.addProblem(with: setting, error.description) }
        }
    }

    /// Reads whether the network is trusted, which changes the default addresses.
    private mutating func readTrust(_ reader: inout SettingReader) {
        guard reader.bool(.trustNetwork) == true else { return }
        configuration.trustsNetwork = true
        configuration.service.host = ListenAddress.allAddresses
        configuration.courier.host = ListenAddress.allAddresses
        configuration.providerPlaintext?.host = ListenAddress.allAddresses
        for setting in [Setting.serviceCertificate, .courierCertificate] where reader.string(setting) != nil {
            reader.addProblem(
                with: setting,
                """
                contradicts \(Setting.trustNetwork.flag), which says that the network needs no TLS; leave out one of them
                """
            )
        }
    }

    private mutating func readListeners(_ reader: inout SettingReader) {
        configuration.service = reader.address(.service) ?? configuration.service
        configuration.courier = reader.address(.courier) ?? configuration.courier
        let providers = reader.addresses(.provider)
        configuration.provider = providers.first
        configuration.furtherProviders = Array(providers.dropFirst())
        configuration.providerPlaintext = reader.address(.providerPlaintext) ?? configuration.providerPlaintext
        configuration.proxy = reader.address(.proxy)
        configuration.serviceTLS = reader.tlsFiles(.serviceCertificate, .serviceKey)
        configuration.courierTLS = reader.tlsFiles(.courierCertificate, .courierKey)
        configuration.providerTLS = reader.tlsFiles(.providerCertificate, .providerKey)
        if configuration.providerTLS != nil, configuration.provider == nil, configuration.proxy == nil {
            reader.addProblem(with: .providerCertificate, "requires --provider or --proxy, and neither is set")
        }
        configuration.providerAuthorities = reader.string(.clientCA)
        if configuration.providerAuthorities != nil, configuration.provider == nil, configuration.proxy == nil {
            reader.addProblem(with: .clientCA, "requires --provider or --proxy, and neither is set")
        }
        let http2 = configuration.http2
        configuration.http2.concurrentStreamCount =
            reader.number(.maxConcurrentStreams, in: 1...1_000_000) ?? http2.concurrentStreamCount
        configuration.http2.headerListSize =
            reader.number(.maxHeaderListSize, in: 1_024...128 << 10) ?? http2.headerListSize
        configuration.deviceRate = reader.number(.deviceRate, in: 1...1_000_000)
        configuration.answerDelay = reader.answerDelay(.answerDelay)
        configuration.recordedRequests = reader.number(.recordRequests, in: 100...100_000)
        configuration.hasTestTokens = reader.bool(.testTokens) ?? configuration.hasTestTokens
    }
}
