internal import Gateway
internal import LocalService
internal import PostgresStore
internal import SchemaFiles
internal import WaypostSchema

/// A reader that reads one setting after another and collects the problems.
struct SettingReader {
    private let sources: SettingSources

    /// The problems found so far.
    private(set) var problems: [SettingProblem]

    init(_ sources: SettingSources) {
        self.sources = sources
        problems = sources.problems
    }

    /// Reads a setting that may be any string that is not empty.
    mutating func string(_ setting: Setting) -> String? {
        value(setting, "use a value that is not empty") { $0.isEmpty ? nil : $0 }
    }

    /// Reads a setting that is a list of host names, separated by commas.
    mutating func hostNames(_ setting: Setting) -> [String] {
        value(setting, "use host names without a port, separated by commas") { string in
            let names = string.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            return names.allSatisfy(AllowedHosts.isValidHost) ? names : nil
        } ?? []
    }

    /// Reads a setting that is one of a few values.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ setting: Setting,
        _: Choice.Type
    ) -> Choice? {
        let words = Choice.allCases.map { "'\($0.rawValue)'" }
        let others = words.dropLast().joined(separator: ", ")
        return value(setting, "use \(others) or \(words.last ?? "")") { Choice(rawValue: $0) }
    }

    /// Reads an environment of APNs.
    mutating func environment(_ setting: Setting) -> PushEnvironment? {
        value(setting, "use 'sandbox' or 'production'") { PushEnvironment(name: $0) }
    }

    /// Reads the choice of the store; one in a folder is in `folder`.
    mutating func store(folder: String) -> StoreChoice {
        guard let value = sources[.store] else { return .sqlite(folder: folder) }
        guard value.hasPrefix("postgres://") || value.hasPrefix("postgresql://") else {
            let accepted = "use 'sqlite', 'memory' or a URI such as postgres://waypost@localhost/waypost"
            let isMemory = self.value(.store, accepted) { ["sqlite": false, "memory": true][$0] }
            return isMemory == true ? .memory : .sqlite(folder: folder)
        }
        do throws(PostgresAddress.Refusal) {
            let address = try PostgresAddress(value)
            if address.hasPassword, sources.isFlag(.store) {
                addProblem(
                    with: .store,
                    """
                    other users of this machine could see the password of the URI; leave it out and set PGPASSWORD or \
                    PGPASSFILE, or set \(Setting.store.variable) instead
                    """
                )
            }
            return .postgres(address)
        } catch {
            addProblem(with: .store, error.description)
            return .sqlite(folder: folder)
        }
    }

    /// Reads a setting that is true or false.
    mutating func bool(_ setting: Setting) -> Bool? {
        value(setting, "use 'true' or 'false'") { Bool(setting: $0) }
    }

    /// Reads a setting that is a number.
    mutating func number(_ setting: Setting, in range: ClosedRange<Int>) -> Int? {
        value(setting, "use a number from \(range.lowerBound) to \(range.upperBound)") { string in
            Int(string).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Reads a setting that is a size of memory or of a file in bytes, of at least `minimum`.
    mutating func bytes(_ setting: Setting, minimum: ByteCount) -> Int? {
        value(setting, "use a size such as 512MiB or 2GiB, at least \(minimum)") { string in
            ByteCount(string).flatMap { $0.count < minimum.count ? nil : $0.count }
        }
    }

    /// Reads a setting that is a time of at least `minimum` seconds.
    mutating func seconds(_ setting: Setting, minimum: Int) -> Int? {
        value(setting, "use a time such as 24h, 30m or 90s" + (minimum > 0 ? ", greater than 0" : ", or 0")) {
            string in
            Seconds(string).flatMap { $0.count < minimum ? nil : $0.count }
        }
    }

    /// Reads a setting that is the address of a listener.
    mutating func address(_ setting: Setting) -> ListenAddress? {
        let accepted = "use an address with a port, such as 127.0.0.1:0 or [::1]:7330"
        return value(setting, accepted) { ListenAddress($0) }
    }

    /// Reads a setting that is the time of an answer.
    mutating func answerDelay(_ setting: Setting) -> AnswerDelay? {
        value(setting, "use a time up to 1m, such as 40ms, or p50=40ms,p99=200ms for a distribution") { string in
            AnswerDelay(setting: string)
        }
    }

    /// Reads a setting that is a list of addresses of a listener, separated by commas.
    mutating func addresses(_ setting: Setting) -> [ListenAddress] {
        let accepted = "use addresses with a port, such as 127.0.0.1:443,127.0.0.1:2197; only the first may have port 0"
        return value(setting, accepted) { string in
            let addresses = string.split(separator: ",", omittingEmptySubsequences: false)
                .map { ListenAddress(String($0)) }
            guard addresses.allSatisfy({ $0 != nil }), addresses.dropFirst().allSatisfy({ $0?.port != 0 }) else {
                return nil
            }
            return addresses.compactMap(\.self)
        } ?? []
    }

    /// Reads a certificate and its key, which must be set together.
    mutating func tlsFiles(_ certificate: Setting, _ key: Setting) -> TLSFiles? {
        switch (string(certificate), string(key)) {
        case (let certificate?, let key?): return TLSFiles(certificate: certificate, key: key)
        case (nil, nil): return nil
        case (_?, nil): addProblem(with: certificate, "requires \(key.flag), which is not set")
        case (nil, _?): addProblem(with: key, "requires \(certificate.flag), which is not set")
        }
        return nil
    }

    private mutating func value<Value>(_ setting: Setting, _ accepted: String, read: (String) -> Value?) -> Value? {
        guard let string = sources[setting] else { return nil }
        guard let value = read(string) else {
            addProblem(with: setting, "'\(string)' is not accepted; \(accepted)")
            return nil
        }
        return value
    }

    /// Records a problem with a setting.
    mutating func addProblem(with setting: Setting, _ message: String) {
        problems.append(
            SettingProblem(place: sources.place(of: setting), message: message, isInFile: sources.isInFile(setting))
        )
    }
}

extension AnswerDelay {
    /// Reads a time such as `40ms`, or a distribution such as `p50=40ms,p99=200ms`.
    fileprivate init?(setting string: String) {
        func milliseconds(_ text: some StringProtocol) -> Int? {
            DurationText.milliseconds(in: String(text)).flatMap { (1...AnswerDelay.maximum).contains($0) ? $0 : nil }
        }
        guard let match = string.wholeMatch(of: /p50=(\w+),p99=(\w+)/) else {
            guard let time = milliseconds(string) else { return nil }
            self = .fixed(time)
            return
        }
        guard let median = milliseconds(match.1), let percentile99 = milliseconds(match.2), median <= percentile99
        else { return nil }
        self = .distribution(median: median, percentile99: percentile99)
    }
}
