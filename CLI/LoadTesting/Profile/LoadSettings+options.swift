internal import Fleets
internal import Foundation
internal import JSONScanning
internal import LocalFiles
internal import PushRules
internal import SchemaFiles
internal import WaypostSchema

extension LoadSettings {
    /// Creates settings from options; those that are not set have their defaults.
    ///
    /// - Throws: `LoadOptions.Problem` that names the option.
    package init(_ options: LoadOptions) throws(LoadOptions.Problem) {
        self.init()
        name = options[.name] ?? name
        let duration = try options.value(.duration) { text throws(LoadValueError) in
            let seconds = try Self.seconds(text)
            guard seconds > 0 else { throw LoadValueError("'\(text)'; use a time above 0, such as 10s") }
            return seconds
        }
        seconds = duration ?? seconds
        warmUp = try options.value(.warmUp, Self.seconds) ?? warmUp
        drain = try options.value(.drain, Self.seconds) ?? drain
        seed = try options.integer(.seed) ?? seed
        try setSchedule(options)
        try setRequests(options)
        try setItems(options)
        try setFleet(options)
        objectives = try options.values(.slo) { text throws(LoadValueError) in try Objective(text) }
    }

    private mutating func setSchedule(_ options: LoadOptions) throws(LoadOptions.Problem) {
        guard !options.isSet(.closed) else { return }
        let seconds = seconds
        var schedule = try options.value(.rates) { file throws(LoadValueError) in
            try LoadSchedule(recording: String(decoding: Self.contents(of: file), as: UTF8.self))
        }
        if schedule == nil {
            schedule = try options.value(.rate) { text throws(LoadValueError) in
                try LoadSchedule(text, seconds: seconds)
            }
        }
        let defaultSegment = LoadSchedule.Segment(seconds: seconds, startRate: 1_000, endRate: 1_000)
        var validSchedule = schedule ?? LoadSchedule([defaultSegment])
        validSchedule.isRandom = options.isSet(.poisson)
        self.seconds = validSchedule.seconds
        self.schedule = validSchedule
    }

    private mutating func setRequests(_ options: LoadOptions) throws(LoadOptions.Problem) {
        let isProvider = try options.choice(.api) == "provider"
        connections = try options.integer(.connections) ?? connections
        let providerOptions: [LoadOption] = [.streams, .tls, .authentication, .key, .broadcast]
        let batchOptions: [LoadOption] = [.batch, .coding, .level]
        for option in isProvider ? batchOptions : providerOptions where options.strings[option] != nil {
            let api = isProvider ? "batches" : "provider"
            throw LoadOptions.Problem(option: option, message: "is a setting of '--api \(api)' only")
        }
        try setKey(options)
        // A client presents a certificate in the handshake of TLS.
        usesTLS = options.isSet(.tls) || authentication == .certificate
        guard !isProvider else {
            api = .provider(maximumStreamCount: try options.integer(.streams) ?? 100)
            return
        }
        let level = try options.integer(.level) ?? 1
        let coding = try options.choice(.coding) ?? "gzip"
        // A tenth of a second's, or as many as are usual in a closed loop.
        let itemsPerSecond = (schedule?.itemCount ?? 5_000 * seconds) / max(seconds, 0.001)
        api = .batches(
            itemsPerRequest: try options.integer(.batch) ?? min(500, max(1, Int(itemsPerSecond / 10))),
            BatchCoding(coding, level: level) ?? .gzip
        )
    }

    private mutating func setKey(_ options: LoadOptions) throws(LoadOptions.Problem) {
        authentication = try options.choice(.authentication).flatMap(Authentication.init) ?? .none
        guard let file = options[.key] else {
            for option in [LoadOption.keyID, .team] where options.strings[option] != nil {
                throw LoadOptions.Problem(option: option, message: "is a setting of '--key FILE' only")
            }
            return
        }
        guard [nil, "token"].contains(options[.authentication]) else {
            throw LoadOptions.Problem(option: .key, message: "is for '--authentication token', which it implies")
        }
        authentication = .token
        let data: [UInt8]
        do throws(SystemError) {
            data = try FileContents.bytes(at: file)
        } catch {
            throw LoadOptions.Problem(option: .key, message: "'\(file)': it cannot be read: \(error)", isInFile: true)
        }
        let name = URL(filePath: file).lastPathComponent
        guard let id = options[.keyID] ?? name.wholeMatch(of: /AuthKey_(\w+)\.p8/).map({ String($0.1) }) else {
            throw LoadOptions.Problem(option: .key, message: "'\(file)'; add its identifier with '--key-id ID'")
        }
        guard let team = options[.team] else {
            throw LoadOptions.Problem(option: .key, message: "'\(file)'; add its team with '--team TEAM'")
        }
        key = try options.value(.key) { file throws(LoadValueError) in
            let (id, team) = (ProviderKeyID(rawValue: id), TeamID(rawValue: team))
            guard let key = ProviderTokenKey(pem: String(decoding: data, as: UTF8.self), id: id, team: team) else {
                throw LoadValueError(
                    "\(file): is not a private key on P-256 in PEM, as Apple's .p8 files are",
                    isInFile: true
                )
            }
            return key
        }
    }

    private mutating func setItems(_ options: LoadOptions) throws(LoadOptions.Problem) {
        let topic = try options.value(.topic) { text throws(LoadValueError) in
            let topic = Topic(rawValue: text)
            guard topic.isWellFormed else {
                throw LoadValueError("'\(text)'; use a bundle identifier: letters, digits, '.' and '-'")
            }
            return topic
        }
        traffic.topic = topic ?? traffic.topic
        try setPayload(options)
        try setItemProperties(options)
    }

    private mutating func setPayload(_ options: LoadOptions) throws(LoadOptions.Problem) {
        traffic.payload = try options.value(.payloadFile, Self.readPayload)
        let others: [LoadOption] = [.payload, .samePayload, .targetContentID, .broadcast]
        if traffic.payload != nil, let other = others.first(where: { options.strings[$0] != nil }) {
            throw LoadOptions.Problem(option: other, message: "cannot be combined with '--payload-file'")
        }
        let payloadSizes = try options.value(.payload) { text throws(LoadValueError) in
            try WeightedChoice(text, hint: "use a number of bytes from 20 to 65536, such as 200") {
                Int($0).flatMap { (20...65_536).contains($0) ? $0 : nil }
            }
        }
        traffic.payloadSizes = payloadSizes ?? traffic.payloadSizes
        traffic.isPayloadShared = options.isSet(.samePayload)
    }

    private static func contents(of file: String) throws(LoadValueError) -> [UInt8] {
        do throws(SystemError) {
            return try FileContents.bytes(at: file)
        } catch {
            throw LoadValueError("\(file): cannot be read: \(error)", isInFile: true)
        }
    }

    private static func readPayload(_ file: String) throws(LoadValueError) -> [UInt8] {
        let data = try contents(of: file)
        if let error = JSONError.first(in: data) {
            throw LoadValueError("\(file):\(error.place(in: data)): not JSON: \(error)", isInFile: true)
        }
        guard (try? DocumentDecoder.decode([String: JSONValue].self, from: data)) != nil else {
            throw LoadValueError("\(file): is not a JSON object", isInFile: true)
        }
        // A batch has an item on each line; in JSON, a line break is never a part of a string.
        return data.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
    }

    private mutating func setItemProperties(_ options: LoadOptions) throws(LoadOptions.Problem) {
        let pushTypes = try options.value(.pushType) { text throws(LoadValueError) in
            try WeightedChoice(text, hint: "use alert or background") {
                ["alert", "background"].contains($0) ? PushType(rawValue: $0) : nil
            }
        }
        traffic.pushTypes = pushTypes ?? traffic.pushTypes
        let expirations = try options.value(.expiration) { text throws(LoadValueError) in
            try WeightedChoice(text, hint: "use none, now, or a time such as 1h", Self.expiration)
        }
        traffic.expirations = expirations ?? traffic.expirations
        traffic.targetContentIdentifiers = options.strings[.targetContentID] ?? []
        traffic.collapseIdentifierCount = try options.integer(.collapseIDs) ?? 0
        traffic.isRoundRobin = options.isSet(.inTurn)
        traffic.badTokenShare = try options.value(.badTokens, Self.share) ?? 0
        traffic.broadcastShare = try options.value(.broadcast, Self.share) ?? 0
        let exponent = try options.value(.zipf) { text throws(LoadValueError) in
            guard let exponent = Double(text), (0...10).contains(exponent) else {
                throw LoadValueError("'\(text)'; use a number from 0 to 10")
            }
            return exponent
        }
        traffic.zipfExponent = exponent ?? 0
    }

    private mutating func setFleet(_ options: LoadOptions) throws(LoadOptions.Problem) {
        fleet = FleetSettings(devices: try options.integer(.devices) ?? fleet.devices)
        if options[.topic] != nil { fleet.topics = [traffic.topic] }
        fleet.devicesPerCredential = try options.integer(.devicesPerCredential) ?? 1
        fleet.seed = seed
        fleet.behavior = options.behavior ?? fleet.behavior
        fleet.behavior.storms += try options.values(.storm) { text throws(LoadValueError) in
            try ReconnectStorm(text)
        }
        if traffic.broadcastShare > 0 {
            fleet.topics.append(Topic(rawValue: "\(traffic.topic.rawValue).push-type.liveactivity"))
        }
        startsOffline = options.isSet(.offline)
    }

    private static func seconds(_ text: String) throws(LoadValueError) -> Double {
        if let problem = DurationText.problem(of: text) { throw LoadValueError("'\(text)'\(problem)") }
        return Double(DurationText.milliseconds(in: text) ?? 0) / 1_000
    }

    private static func share(_ text: String) throws(LoadValueError) -> Double {
        guard let share = QuantityText.share(in: text) else {
            throw LoadValueError("'\(text)'; use a share from 0% to 100%, such as 2.5%")
        }
        return share
    }

    private static func expiration(_ text: String) -> LoadTraffic.Expiration? {
        switch text {
        case "none": LoadTraffic.Expiration.none
        case "now": .now
        default: DurationText.milliseconds(in: text).map { .after($0 / 1_000) }
        }
    }
}

extension ReconnectStorm {
    /// Parses a storm: its time, and after colons its share and its spread, such as `30s:50%:1s`.
    fileprivate init(_ text: String) throws(LoadValueError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let share = parts.count > 1 ? QuantityText.share(in: parts[1]) : 1
        let spread = parts.count > 2 ? DurationText.milliseconds(in: parts[2]) : 0
        guard parts.count <= 3, let at = DurationText.milliseconds(in: parts[0]), let share, let spread else {
            throw LoadValueError("'\(text)'; use a time, a share and a spread, such as 30s, 30s:50% or 30s:50%:1s")
        }
        self.init(at: at * 1_000, share: share, spread: spread * 1_000)
    }
}
