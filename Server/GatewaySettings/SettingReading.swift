internal import Gateway
internal import LocalService

/// Reads one setting after another, and keeps what is wrong with them.
struct SettingReading {
    private let given: GivenSettings

    /// What is wrong so far.
    private(set) var problems: [SettingProblem]

    init(_ given: GivenSettings) {
        self.given = given
        problems = given.problems
    }

    /// A setting that may be any text.
    mutating func text(_ setting: Setting) -> String? {
        value(setting, "a text that is not empty is accepted") { $0.isEmpty ? nil : $0 }
    }

    /// A setting that is one of a few words.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ setting: Setting,
        _: Choice.Type
    ) -> Choice? {
        let words = Choice.allCases.map { "'\($0.rawValue)'" }
        let others = words.dropLast().joined(separator: ", ")
        return value(setting, "\(others) and \(words.last ?? "") are accepted") { Choice(rawValue: $0) }
    }

    /// A setting that is true or false.
    mutating func bool(_ setting: Setting) -> Bool? {
        value(setting, "'true' and 'false' are accepted") { text in
            switch text.lowercased() {
            case "true", "yes", "on", "1": true
            case "false", "no", "off", "0": false
            default: nil
            }
        }
    }

    /// A setting that is a number.
    mutating func number(_ setting: Setting, in range: ClosedRange<Int>) -> Int? {
        value(setting, "a number from \(range.lowerBound) to \(range.upperBound) is accepted") { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A setting that is a time of so many seconds or more.
    mutating func seconds(_ setting: Setting, from least: Int) -> Int? {
        value(setting, "a time like 24h, 30m or 90s is accepted" + (least > 0 ? ", more than nothing" : ", or 0")) {
            text in
            Seconds(text).flatMap { $0.count < least ? nil : $0.count }
        }
    }

    /// A setting that says where a listener is.
    mutating func address(_ setting: Setting) -> ListenAddress? {
        let accepted = "an address with its port is accepted, like 127.0.0.1:0 or [::1]:7330"
        guard let address = value(setting, accepted, { ListenAddress($0) }) else { return nil }
        if !address.isLoopback { note(setting, GatewayStartError.notLoopback(address.host).description) }
        return address
    }

    /// A certificate and its key, which go together.
    mutating func files(_ certificate: Setting, _ key: Setting) -> TLSFiles? {
        switch (text(certificate), text(key)) {
        case (let certificate?, let key?): return TLSFiles(certificate: certificate, key: key)
        case (nil, nil): return nil
        case (_?, nil): note(certificate, "it goes with \(key.flag), which is not there")
        case (nil, _?): note(key, "it goes with \(certificate.flag), which is not there")
        }
        return nil
    }

    private mutating func value<Value>(_ setting: Setting, _ accepted: String, _ read: (String) -> Value?) -> Value? {
        guard let text = given[setting] else { return nil }
        guard let value = read(text) else {
            note(setting, "'\(text)' cannot be used; \(accepted)")
            return nil
        }
        return value
    }

    /// Notes that a setting cannot be used.
    mutating func note(_ setting: Setting, _ message: String) {
        problems.append(SettingProblem(place: given.place(of: setting), message: message))
    }
}

/// Why a setting cannot be used.
package struct SettingProblem: Error, Sendable, Equatable {
    /// Where it stands: a flag, a variable, or a file with its line.
    package var place: String

    /// What is wrong, and what would be accepted.
    package var message: String
}

extension SettingProblem: CustomStringConvertible {
    /// The problem as a line.
    package var description: String {
        "\(place): \(message)"
    }
}

/// Everything that is wrong with the settings of a gateway.
package struct SettingProblems: Error, Sendable, Equatable {
    /// The problems: flags first, then the environment, then the file.
    package var problems: [SettingProblem]
}

extension SettingProblems: CustomStringConvertible {
    /// The problems, a line each.
    package var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}

/// A time as people write it: a whole number with its unit, like `24h`, `30m` or `90s`; `0` needs none.
struct Seconds: Equatable {
    let count: Int

    private static let units: [Character: Int] = ["s": 1, "m": 60, "h": 60 * 60, "d": 24 * 60 * 60]

    init(count: Int) {
        self.count = count
    }

    init?(_ text: String) {
        if text == "0" {
            count = 0
            return
        }
        let digits = text.dropLast()
        guard let unit = text.last.flatMap({ Self.units[$0] }), digits.allSatisfy({ ("0"..."9").contains($0) }),
            let number = Int(digits)
        else { return nil }
        let (seconds, isTooLarge) = number.multipliedReportingOverflow(by: unit)
        // A hundred years are enough, and leave room for sums.
        guard !isTooLarge, seconds <= 100 * 366 * 24 * 60 * 60 else { return nil }
        count = seconds
    }
}

extension Seconds: CustomStringConvertible {
    var description: String {
        for unit in ["h", "m"] {
            guard let size = Self.units[Character(unit)], count > 0, count.isMultiple(of: size) else { continue }
            return "\(count / size)\(unit)"
        }
        return count == 0 ? "0" : "\(count)s"
    }
}
