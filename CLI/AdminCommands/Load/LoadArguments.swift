internal import ArgumentParser
internal import Fleets
internal import LoadTesting
internal import SchemaFiles

/// The options of a load test, each of which is a key of a profile too.
struct LoadArguments: ParsableArguments {
    @Option(help: "The notifications per second: 2000, a ramp 100..2000, or steps 500:10s,1000:20s (default: 1000).")
    var rate: String?

    @Option(help: ArgumentHelp("The rates of each second, a number a line, instead of --rate.", valueName: "file"))
    var rates: String?

    @Flag(inversion: .prefixedNo, help: "Let the times vary as those of independent senders do.")
    var poisson: Bool?

    @Flag(inversion: .prefixedNo, help: "Send as soon as the connections can, instead of at a rate.")
    var closed: Bool?

    @Option(help: ArgumentHelp("The length of the measured part (default: 10s).", valueName: "time"))
    var duration: String?

    @Option(help: ArgumentHelp("The part before it, which does not count (default: 0s).", valueName: "time"))
    var warmUp: String?

    @Option(help: ArgumentHelp("The longest wait for arrivals at the end (default: 10s).", valueName: "time"))
    var drain: String?

    @Option(help: "The API: batches, or provider, which is the API of APNs over HTTP/2 (default: batches).")
    var api: String?

    @Option(help: "The connections that send (default: 4).")
    var connections: String?

    @Option(help: "The notifications of a batch (default: a tenth of a second's, 1 to 500).")
    var batch: String?

    @Option(help: "The content coding of batches: gzip, deflate or none (default: gzip).")
    var coding: String?

    @Option(help: "The level of the compression, 0 to 9 (default: 1).")
    var level: String?

    @Option(help: "The most open requests of a connection to the provider API (default: 100).")
    var streams: String?

    @Flag(inversion: .prefixedNo, help: "Use TLS for the provider API.")
    var tls: Bool?

    @Option(help: "The authentication at the provider API: none, token or certificate (default: none).")
    var authentication: String?

    @Option(
        help: ArgumentHelp(
            "The size of a payload, or several with their shares, such as 200:90%,4000:10% (default: 200).",
            valueName: "bytes"
        )
    )
    var payload: String?

    @Flag(inversion: .prefixedNo, help: "Give all notifications the same payload.")
    var samePayload: Bool?

    @Option(
        help: ArgumentHelp(
            "The push type, or both, such as alert:80%,background:20% (default: alert).",
            valueName: "type"
        )
    )
    var pushType: String?

    @Option(help: ArgumentHelp("A target content identifier; several are used in turn.", valueName: "id"))
    var targetContentID: [String] = []

    @Option(name: .customLong("collapse-ids"), help: "The number of different collapse identifiers (default: 0, none).")
    var collapseIDs: String?

    @Option(
        help: ArgumentHelp(
            "The expiration: none, now or a time, or several with their shares, such as none:90%,1h:10% (default: none).",
            valueName: "time"
        )
    )
    var expiration: String?

    @Option(help: "The skew of the distribution over devices: the exponent of Zipf's law (default: 0, none).")
    var zipf: String?

    @Flag(inversion: .prefixedNo, help: "Give the devices notifications in turn, instead of by chance.")
    var inTurn: Bool?

    @Option(
        help: ArgumentHelp("The share of notifications for tokens that do not exist (default: 0%).", valueName: "share")
    )
    var badTokens: String?

    @Option(
        help: ArgumentHelp(
            "The share of notifications for a channel to which all devices are subscribed (default: 0%).",
            valueName: "share"
        )
    )
    var broadcast: String?

    @Option(help: "The number of devices that receive (default: 100).")
    var devices: String?

    @Option(
        help: ArgumentHelp(
            "The number of devices that share a credential and a stream (default: 1).",
            valueName: "count"
        )
    )
    var devicesPerCredential: String?

    @Option(help: ArgumentHelp("The behavior of the devices, as for 'waypost fleet run'.", valueName: "file"))
    var behavior: String?

    @Option(
        help: ArgumentHelp(
            "A time at which devices connect again, a share and a spread, such as 30s:50%:1s; may be repeated.",
            valueName: "storm"
        )
    )
    var storm: [String] = []

    @Flag(inversion: .prefixedNo, help: "Connect the devices only after the load: their inboxes fill, and then drain.")
    var offline: Bool?

    @Option(help: "The seed of everything that varies (default: 1).")
    var seed: String?

    @Option(
        help: ArgumentHelp(
            "An objective, such as lost=0 or delivered.p99<50ms; may be given several times.",
            valueName: "objective"
        )
    )
    var slo: [String] = []

    @Option(help: ArgumentHelp("The name of the test, for reports.", valueName: "name"))
    var name: String?

    /// Returns the settings of a profile, if any, with what the command line says instead.
    ///
    /// - Throws: `FileFindings` for a profile or a behavior, and `LoadOptions.Problem` for an option.
    func settings(_ profile: String?) throws -> LoadSettings {
        var options = self.options
        if let behavior { options.behavior = try FleetBehavior(file: behavior, .fleet()) }
        if let profile {
            options = options.completed(by: try LoadProfile(file: profile, try FileSchema.load()).options)
        }
        return try LoadSettings(options)
    }

    /// The options that are given.
    private var options: LoadOptions {
        let texts: [(LoadOption, String?)] = [
            (.rate, rate), (.rates, rates), (.duration, duration), (.warmUp, warmUp), (.drain, drain), (.api, api),
            (.connections, connections), (.batch, batch), (.coding, coding), (.level, level), (.streams, streams),
            (.authentication, authentication), (.payload, payload), (.pushType, pushType),
            (.collapseIDs, collapseIDs), (.expiration, expiration), (.zipf, zipf), (.badTokens, badTokens),
            (.broadcast, broadcast), (.devices, devices), (.devicesPerCredential, devicesPerCredential),
            (.behavior, behavior), (.seed, seed), (.name, name),
        ]
        let flags: [(LoadOption, Bool?)] = [
            (.poisson, poisson), (.closed, closed), (.tls, tls), (.samePayload, samePayload), (.inTurn, inTurn),
            (.offline, offline),
        ]
        let lists: [(LoadOption, [String])] = [(.targetContentID, targetContentID), (.storm, storm), (.slo, slo)]
        var options = LoadOptions()
        for (option, text) in texts { options.texts[option] = text.map { [$0] } }
        for (option, flag) in flags { options.texts[option] = flag.map { ["\($0)"] } }
        for (option, list) in lists where !list.isEmpty { options.texts[option] = list }
        return options
    }
}
