import Foundation
import Gateway
import GatewaySettings
import HTTP2Sessions
import LocalService
import Logging
import SchemaFiles
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct GatewaySettingsTests {
    /// A settings file that exists for the lifetime of the value.
    private struct File {
        private let folder: ScratchFolder
        private let name = "gateway.yaml"

        init(_ text: String) throws {
            folder = try ScratchFolder()
            _ = try folder.write(Data(text.utf8), to: name)
        }

        var path: String { folder.path(of: name) }
    }

    // MARK: Sources of settings

    @Test func defaultSettingsApplyWithoutSources() throws {
        let configuration = try GatewaySettings(flags: [:]).configuration
        #expect(configuration.service == ListenAddress(port: 7330))
        #expect(configuration.courier == ListenAddress(port: 7331))
        #expect(configuration.provider == nil)
        #expect(configuration.providerPlaintext == ListenAddress(port: 7333))
        #expect(configuration.store == .sqlite(folder: "waypost-data"))
        #expect(configuration.http2 == HTTP2Limits())
        #expect(configuration.deviceRate == nil)
    }

    @Test func providerMayHaveSeveralAddresses() throws {
        let configuration = try GatewaySettings(flags: [.provider: "127.0.0.77:443,127.0.0.77:2197"]).configuration
        #expect(configuration.provider == ListenAddress("127.0.0.77", port: 443))
        #expect(configuration.furtherProviders == [ListenAddress("127.0.0.77", port: 2_197)])
    }

    @Test(
        arguments: [
            ("40ms", AnswerDelay.fixed(40)), ("1s", .fixed(1_000)),
            ("p50=40ms,p99=1s", .distribution(median: 40, percentile99: 1_000)),
        ]
    )
    func answerDelayIsATimeOrTwoPercentiles(_ text: String, _ delay: AnswerDelay) throws {
        #expect(try GatewaySettings(flags: [.answerDelay: text]).configuration.answerDelay == delay)
    }

    @Test(arguments: [("512MiB", 512 << 20), ("2GiB", 2 << 30), ("262144KiB", 256 << 20), ("300000000", 300_000_000)])
    func memoryIsASize(_ text: String, _ bytes: Int) throws {
        #expect(try GatewaySettings(flags: [.memory: text]).configuration.memory == bytes)
    }

    @Test func flagOverridesTheEnvironmentWhichOverridesAFile() throws {
        let file = try File("redelivery: 3s\ndata: three\nlog-level: error\n")
        let settings = try GatewaySettings(
            flags: [.redelivery: "1s"],
            environment: ["WAYPOST_GATEWAY_REDELIVERY": "2s", "WAYPOST_GATEWAY_DATA": "two", "HOME": "/root"],
            file: file.path
        )
        #expect(settings.configuration.redelivery.initialDelay == 1)
        #expect(settings.configuration.store == .sqlite(folder: "two"))
        #expect(settings.logLevel == .error)
    }

    @Test func environmentCanNameTheFile() throws {
        let file = try File("strict: yes\nmax-concurrent-streams: 7\n")
        let settings = try GatewaySettings(flags: [:], environment: ["WAYPOST_GATEWAY_CONFIG": file.path])
        #expect(settings.configuration.isStrict)
        #expect(settings.configuration.http2.concurrentStreamCount == 7)
    }

    @Test func emptyVariableIsIgnored() throws {
        let settings = try GatewaySettings(flags: [:], environment: ["WAYPOST_GATEWAY_STORE": ""])
        #expect(settings.configuration.store == .sqlite(folder: "waypost-data"))
    }

    /// A value other than the default for each setting.
    static let values: [Setting: String] = [
        .service: "127.0.0.1:0", .courier: "[::1]:1", .provider: "127.0.0.1:2,[::1]:5",
        .providerPlaintext: "localhost:3",
        .providerCertificate: "p.pem", .providerKey: "pk.pem", .proxy: "127.0.0.1:4", .ca: "authority",
        .clientCA: "clients.pem",
        .maxConcurrentStreams: "5",
        .maxHeaderListSize: "4096", .deviceRate: "9", .answerDelay: "p50=40ms,p99=1s",
        .recordRequests: "20000",
        .testTokens: "true",
        .allowedHost: "gateway.test,127.0.0.2", .trustNetwork: "true", .console: "off", .strict: "true",
        .readyFile: "ready.json",
        .memory: "512MiB", .store: "memory", .databaseWait: "5s",
        .data: "elsewhere", .clock: "manual", .authentication: "apns", .tokenChurn: "key",
        .providerEnvironment: "sandbox",
        .missingExpiration: "drop",
        .logRetention: "0", .redelivery: "5s",
        .serviceCertificate: "s.pem", .serviceKey: "sk.pem", .courierCertificate: "c.pem", .courierKey: "ck.pem",
        .logLevel: "debug", .logFormat: "json",
    ]

    @Test func everySettingHasTheSameEffectFromEverySource() throws {
        #expect(Set(Self.values.keys) == Set(Setting.allCases))
        // It contradicts the certificates.
        let values = Self.values.filter { $0.key != .trustNetwork }
        let file = try File(values.map { "\($0.key.rawValue): '\($0.value)'\n" }.sorted().joined())
        let variables = Dictionary(uniqueKeysWithValues: values.map { ($0.key.variable, $0.value) })
        let readings = [
            try GatewaySettings(flags: values),
            try GatewaySettings(flags: [:], environment: variables),
            try GatewaySettings(flags: [:], file: file.path),
        ]
        let standard = String(describing: try GatewaySettings(flags: [:]))
        for settings in readings {
            #expect(String(describing: settings) == String(describing: readings[0]))
            #expect(String(describing: settings) != standard)
        }
    }

    @Test(arguments: values.filter { $0.key != .data }.map(\.key))
    func everySettingChangesSomething(_ setting: Setting) throws {
        let pairs: [Setting: Setting] = [
            .providerCertificate: .providerKey, .providerKey: .providerCertificate, .courierKey: .courierCertificate,
            .courierCertificate: .courierKey, .serviceCertificate: .serviceKey, .serviceKey: .serviceCertificate,
        ]
        var chosen = [setting, pairs[setting]].compactMap { $0 }
        if [.providerKey, .providerCertificate, .clientCA].contains(setting) { chosen.append(.provider) }
        let flags = Self.values.filter { chosen.contains($0.key) }
        let settings = try GatewaySettings(flags: flags)
        #expect(String(describing: settings) != String(describing: try GatewaySettings(flags: [:])))
    }

    // MARK: Problems

    @Test func allProblemsAreReportedTogetherWithTheirPlaces() throws {
        let file = try File("store: disk\n\nstrct: true\nclock: [manual]\n")
        let problems = problems(
            flags: [.redelivery: "0", .providerKey: "key.pem"],
            unknownFlags: ["--redlivery", "7", "stray"],
            environment: ["WAYPOST_GATEWAY_DEVICE_RATE": "many", "WAYPOST_GATEWAY_STOR": "memory"],
            file: file.path
        )
        #expect(
            problems == [
                "--redlivery: no such setting; did you mean '--redelivery'?",
                "stray: unexpected argument",
                "WAYPOST_GATEWAY_STOR: no such setting; did you mean 'WAYPOST_GATEWAY_STORE'?",
                "\(file.path):3:1: unknown key 'strct'; did you mean 'strict'?",
                "\(file.path):4:8: 'clock' is a list; it must be a text",
                "--provider-key: requires --provider-certificate, which is not set",
                "WAYPOST_GATEWAY_DEVICE_RATE: 'many' is not accepted; use a number from 1 to 1000000",
                "\(file.path):1:8: 'disk' is not accepted; use 'sqlite', 'memory' or a URI such as "
                    + "postgres://waypost@localhost/waypost",
                "--redelivery: '0' is not accepted; use a time such as 24h, 30m or 90s, greater than 0",
            ]
        )
    }

    @Test func textInBase60IsAText() throws {
        let file = try File("data: 59:59:59:59:59:59:59:59:59:59:59\n")
        let configuration = try GatewaySettings(flags: [:], file: file.path).configuration
        #expect(configuration.store == .sqlite(folder: "59:59:59:59:59:59:59:59:59:59:59"))
    }

    @Test func storeCanBeADatabaseWithAPasswordThatNobodyElseSees() throws {
        let uri = "postgres://waypost:secret@127.0.0.1/waypost"
        let file = try File("store: \(uri)\n")
        for settings in [
            try GatewaySettings(flags: [:], environment: ["WAYPOST_GATEWAY_STORE": uri]),
            try GatewaySettings(flags: [:], file: file.path),
            try GatewaySettings(flags: [.store: "postgresql://waypost@127.0.0.1/waypost"]),
        ] {
            #expect(settings.configuration.store.summary == "PostgreSQL, 127.0.0.1, database waypost")
        }
        let problems = problems(flags: [.store: uri])
        #expect(problems.count == 1)
        #expect(problems.allSatisfy { $0.contains("PGPASSWORD") && !$0.contains("secret") })
    }

    @Test func databaseOnAnotherMachineMustProveItsName() {
        #expect(
            problems(flags: [.store: "postgres://waypost@db.example/waypost?sslmode=prefer"]).first?
                .contains("(db.example), so sslmode=prefer is not accepted") == true
        )
    }

    @Test func badValueInAFileIsReportedWithItsLine() throws {
        let file = try File("# how we run it\nstore: disk\n")
        #expect(
            problems(file: file.path) == [
                "\(file.path):2:8: 'disk' is not accepted; use 'sqlite', 'memory' or a URI such as "
                    + "postgres://waypost@localhost/waypost"
            ]
        )
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        let setting: Setting
        let text: String

        init(_ setting: Setting, _ text: String) {
            self.setting = setting
            self.text = text
        }

        var testDescription: String { "\(setting) \(text)" }
    }

    @Test(arguments: [
        Wrong(.service, "7330"), Wrong(.service, "127.0.0.1:70000"), Wrong(.courier, "::1:0"), Wrong(.strict, "maybe"),
        Wrong(.store, "SQLite"), Wrong(.clock, "utc"), Wrong(.authentication, "required"), Wrong(.logRetention, "24"),
        Wrong(.logRetention, "-1s"), Wrong(.redelivery, "1.5s"), Wrong(.databaseWait, "30"),
        Wrong(.memory, "1"), Wrong(.memory, "1GB"),
        Wrong(.logLevel, "loud"), Wrong(.logFormat, "xml"),
        Wrong(.data, ""), Wrong(.readyFile, ""), Wrong(.courierKey, ""), Wrong(.maxHeaderListSize, "131073"),
        Wrong(.maxConcurrentStreams, "0"), Wrong(.maxHeaderListSize, "12"), Wrong(.deviceRate, "-1"),
        Wrong(.provider, "127.0.0.1:443,"), Wrong(.provider, "127.0.0.1:0,127.0.0.1:0"), Wrong(.answerDelay, "40"),
        Wrong(.answerDelay, "0ms"), Wrong(.answerDelay, "2m"), Wrong(.answerDelay, "p50=2s,p99=1s"),
        Wrong(.tokenChurn, "sender"), Wrong(.recordRequests, "99"), Wrong(.recordRequests, "100001"),
    ])
    func badValueIsReportedWithTheAcceptedOnes(_ wrong: Wrong) {
        let problems = problems(flags: [wrong.setting: wrong.text])
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("\(wrong.setting.flag): '\(wrong.text)' is not accepted; ") == true)
        #expect(problems.first?.contains("; use ") == true)
    }

    @Test func missingFileIsAProblem() {
        let problems = problems(file: "/nowhere/gateway.yaml")
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("/nowhere/gateway.yaml:1:1: cannot be read") == true)
    }

    @Test(arguments: ["store: [", "- store\n- data\n", "store: memory\nstore: sqlite\n", "memory"])
    func malformedFileIsAProblem(_ text: String) throws {
        let file = try File(text)
        #expect(problems(file: file.path).count == 1)
    }

    @Test(arguments: ["", "# nothing\n", "---\n"]) func emptyFileIsNotAProblem(_ text: String) throws {
        let file = try File(text)
        #expect(problems(file: file.path).isEmpty)
    }

    /// Returns the problems with settings, one per line.
    private func problems(
        flags: [Setting: String] = [:],
        unknownFlags: [String] = [],
        environment: [String: String] = [:],
        file: String? = nil
    ) -> [String] {
        do throws(SettingProblems) {
            _ = try GatewaySettings(
                flags: flags,
                unknownFlags: unknownFlags,
                environment: environment,
                file: file
            )
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    /// The exit status says whether the file has to be corrected.
    @Test(arguments: [[:], [.clock: "moon"]] as [[Setting: String]])
    func problemsOfTheFileAreToldApart(_ flags: [Setting: String]) throws {
        let file = try File("stroe: memory\nconsole: maybe\n")
        let error = try #require(throws: SettingProblems.self) { try GatewaySettings(flags: flags, file: file.path) }
        #expect(error.problems.count == 2 + flags.count)
        #expect(error.areInFile == flags.isEmpty)
    }

    @Test func nonLoopbackAddressIsReportedWithItsPlace() {
        let problems = problems(flags: [.service: "0.0.0.0:1"], environment: ["WAYPOST_GATEWAY_PROXY": "example.com:1"])
        #expect(problems.map { $0.prefix { $0 != ":" } } == ["--service", "WAYPOST_GATEWAY_PROXY"])
        #expect(problems[0].contains("set --service-certificate and --service-key, or use a loopback address"))
        #expect(problems[1].contains("this listener has no TLS"))
    }

    @Test func trustedNetworkChangesTheDefaultAddressesAndNeedsNoProtection() throws {
        let configuration = try GatewaySettings(flags: [.trustNetwork: "true", .courier: "10.0.0.1:1"]).configuration
        #expect(configuration.trustsNetwork)
        #expect(configuration.service == ListenAddress("0.0.0.0", port: 7_330))
        #expect(configuration.courier == ListenAddress("10.0.0.1", port: 1))
        #expect(configuration.providerPlaintext == ListenAddress("0.0.0.0", port: 7_333))
        #expect(try !GatewaySettings(flags: [.trustNetwork: "false"]).configuration.trustsNetwork)
    }

    @Test(arguments: [(Setting.serviceCertificate, Setting.serviceKey), (.courierCertificate, .courierKey)])
    func trustedNetworkContradictsCertificatesOfTheListeners(_ certificate: Setting, _ key: Setting) {
        let problems = problems(
            flags: [certificate: "c.pem", key: "k.pem"],
            environment: ["WAYPOST_GATEWAY_TRUST_NETWORK": "true"]
        )
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("\(certificate.flag): contradicts --trust-network") == true)
    }

    @Test func unusedCertificateIsAProblem() {
        let problems = problems(flags: [.providerCertificate: "c.pem", .providerKey: "k.pem"])
        #expect(problems == ["--provider-certificate: requires --provider or --proxy, and neither is set"])
    }

    @Test(arguments: [
        (
            ["--stroe=memory", "stray"],
            ["--stroe: no such setting; did you mean '--store'?", "stray: unexpected argument"]
        ),
        (["--confg", "x"], ["--confg: no such setting; did you mean '--config'?"]),
        (["-v"], ["-v: no such setting; waypost-gateway --help lists all settings"]),
    ])
    func unknownFlagsAreReportedWithoutTheirValues(_ words: [String], _ expected: [String]) {
        #expect(problems(unknownFlags: words) == expected)
    }

    @Test func serviceDiscoveryVariablesAreIgnored() {
        let variables = ["SERVICE_HOST", "SERVICE_PORT", "SERVICE_PORT_HTTP", "PORT", "PORT_7330_TCP_ADDR"]
        let environment = Dictionary(
            uniqueKeysWithValues: variables.map { ("WAYPOST_GATEWAY_\($0)", "tcp://10.0.0.1:7330") }
        )
        #expect(problems(environment: environment).isEmpty)
    }

    /// The schema of settings files and of stack files has these values.
    @Test(arguments: Setting.allCases) func listedValuesAreThoseThatAreAccepted(_ setting: Setting) {
        let isSwitch = setting.valueName == nil
        for value in setting.acceptedValues ?? (isSwitch ? ["true", "false"] : []) {
            #expect(problems(flags: [setting: value]).isEmpty, "\(value)")
        }
        let problem = problems(flags: [setting: "moon"]).first ?? ""
        let isChoice = problem.contains("; use '") && setting != .store
        #expect(isChoice == (isSwitch || setting.acceptedValues != nil), "\(problem)")
        for value in setting.acceptedValues ?? [] where value != "development" {
            #expect(problem.contains("'\(value)'"), "\(problem)")
        }
    }

    // MARK: Documentation

    /// `waypost schema gateway` prints the file, because the commands do not know the gateway.
    ///
    /// If `WAYPOST_WRITE_DOCS=1` is set, the test first writes it.
    @Test func schemaOfSettingsFilesIsUpToDate() throws {
        let url = Repository.root.appending(path: "Server/GatewaySettings/gateway-schema.json")
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let expected = String(decoding: try encoder.encode(Setting.schema.root), as: UTF8.self) + "\n"
        if ProcessInfo.processInfo.environment["WAYPOST_WRITE_DOCS"] == "1" { try Data(expected.utf8).write(to: url) }
        #expect(try String(contentsOf: url, encoding: .utf8) == expected)
    }

    @Test func everySettingIsDocumented() throws {
        let document = try String(contentsOf: Repository.root.appending(path: "docs/gateway.md"), encoding: .utf8)
        for setting in Setting.allCases { #expect(document.contains("`\(setting.flag)"), "\(setting.flag)") }
    }
}
