package import Gateway
internal import HTTP2Sessions
package import LocalService
package import Logging
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
    private enum ConsoleChoice: String, CaseIterable {
        case on
        case off

        var isOn: Bool { self == .on }
    }

    /// The environment variable that names the settings file if the option `--config` does not.
    package static let fileVariable = Setting.prefix + "CONFIG"

    /// The default folder of the store.
    static let folder = "waypost-data"

    /// Creates the default settings.
    init() {
        configuration.providerPlaintext = ListenAddress(port: 7333)
        configuration.store = .sqlite(folder: Self.folder)
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
        let named = environment[Self.fileVariable].flatMap { $0.isEmpty ? nil : $0 }
        var reading = SettingReading(
            GivenSettings(
                flags: flags,
                unknownFlags: unknownFlags,
                environment: environment,
                file: file ?? named
            )
        )
        self.init()
        read(&reading)
        guard reading.problems.isEmpty else { throw SettingProblems(problems: reading.problems) }
    }

    private mutating func read(_ reading: inout SettingReading) {
        readListeners(&reading)
        configuration.allowedHosts = AllowedHosts(reading.names(.allowedHost))
        configuration.isStrict = reading.bool(.strict) ?? configuration.isStrict
        configuration.readyFile = reading.text(.readyFile)
        let folder = reading.text(.data) ?? Self.folder
        configuration.store = reading.store(folder: folder)
        configuration.authorityFolder = reading.text(.ca) ?? "\(folder)/ca"
        configuration.clock = reading.choice(.clock, ClockReading.Source.self) ?? configuration.clock
        configuration.authentication =
            reading.choice(.authentication, Authentication.self) ?? configuration.authentication
        recordUnprotectedListeners(&reading)
        configuration.console = reading.choice(.console, ConsoleChoice.self)?.isOn
        configuration.logRetention = reading.seconds(.logRetention, from: 0) ?? configuration.logRetention
        configuration.redelivery.first = reading.seconds(.redelivery, from: 1) ?? configuration.redelivery.first
        configuration.redelivery.maximum = max(configuration.redelivery.maximum, configuration.redelivery.first)
        logLevel = reading.choice(.logLevel, LogLevel.self)?.level ?? logLevel
        logFormat = reading.choice(.logFormat, LogFormat.self) ?? logFormat
    }

    private func recordUnprotectedListeners(_ reading: inout SettingReading) {
        let settings: [(GatewayListener, Setting)] = [
            (.service, .service), (.courier, .courier), (.provider, .provider),
            (.providerPlaintext, .providerPlaintext), (.proxy, .proxy),
        ]
        let errors = configuration.unprotectedListeners
        for (listener, setting) in settings {
            if let error = errors[listener] { reading.note(setting, error.description) }
        }
    }

    private mutating func readListeners(_ reading: inout SettingReading) {
        configuration.service = reading.address(.service) ?? configuration.service
        configuration.courier = reading.address(.courier) ?? configuration.courier
        configuration.provider = reading.address(.provider)
        configuration.providerPlaintext = reading.address(.providerPlaintext) ?? configuration.providerPlaintext
        configuration.proxy = reading.address(.proxy)
        configuration.serviceTLS = reading.files(.serviceCertificate, .serviceKey)
        configuration.courierTLS = reading.files(.courierCertificate, .courierKey)
        configuration.providerTLS = reading.files(.providerCertificate, .providerKey)
        if configuration.providerTLS != nil, configuration.provider == nil, configuration.proxy == nil {
            reading.note(.providerCertificate, "requires --provider or --proxy, and neither is set")
        }
        configuration.providerAuthorities = reading.text(.clientCA)
        if configuration.providerAuthorities != nil, configuration.provider == nil, configuration.proxy == nil {
            reading.note(.clientCA, "requires --provider or --proxy, and neither is set")
        }
        let http2 = configuration.http2
        configuration.http2.concurrentStreams =
            reading.number(.maxConcurrentStreams, in: 1...1_000_000) ?? http2.concurrentStreams
        configuration.http2.headerList = reading.number(.maxHeaderListSize, in: 1_024...128 << 10) ?? http2.headerList
        configuration.deviceRate = reading.number(.deviceRate, in: 1...1_000_000)
    }
}
