package import Fleets

/// A setting of a load test: an option of the command line, and a key of a profile.
package enum LoadOption: String, CaseIterable, Sendable {
    case name
    case rate
    case rates
    case poisson
    case closed
    case duration
    case warmUp = "warm-up"
    case drain
    case api
    case batch
    case coding
    case level
    case streams
    case tls
    case authentication
    case connections
    case payload
    case samePayload = "same-payload"
    case pushType = "push-type"
    case targetContentID = "target-content-id"
    case collapseIDs = "collapse-ids"
    case expiration
    case zipf
    case inTurn = "in-turn"
    case badTokens = "bad-tokens"
    case broadcast
    case devices
    case devicesPerCredential = "devices-per-credential"
    case behavior
    case storm
    case offline
    case seed
    case slo
}

/// The settings of a load test as texts, from the command line or from a profile.
package struct LoadOptions: Sendable, Equatable {
    /// The error for a value that cannot be used.
    package struct Problem: Error, Sendable, Equatable {
        /// The option.
        package let option: LoadOption

        /// The problem, and what is accepted.
        package let message: String
    }

    /// The values that are given; `true` and `false` for a flag.
    package var texts: [LoadOption: [String]] = [:]

    /// The behavior of the devices that a profile contains.
    package var behavior: FleetBehavior?

    /// Creates options without values.
    package init() {}

    /// Returns these options, and those of a profile that are not given.
    package func completed(by profile: Self) -> Self {
        var completed = self
        completed.texts.merge(profile.texts) { own, _ in own }
        // A schedule or a behavior of the command line replaces the profile's, whatever its form is.
        let schedules: [LoadOption] = [.rate, .rates, .closed]
        if schedules.contains(where: { texts[$0] != nil }) {
            for option in schedules where texts[option] == nil { completed.texts[option] = nil }
        }
        if texts[.behavior] == nil { completed.behavior = profile.behavior }
        return completed
    }

    subscript(option: LoadOption) -> String? {
        texts[option]?.last
    }

    /// Returns whether a flag is set.
    func isSet(_ option: LoadOption) -> Bool {
        self[option] == "true"
    }

    /// Returns a whole number.
    func number(_ option: LoadOption, in range: ClosedRange<Int>, default value: Int) throws(Problem) -> Int {
        guard let text = self[option] else { return value }
        guard let number = Int(text), range.contains(number) else {
            throw Problem(
                option: option,
                message: "'\(text)'; use a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }

    /// Returns the value that `parse` makes of a text, or `nil` if the option is not given.
    func value<Value>(
        _ option: LoadOption,
        _ parse: (String) throws(LoadTextError) -> Value
    ) throws(Problem) -> Value? {
        try values(option, parse).last
    }

    /// Returns the values that `parse` makes of all texts of an option.
    func values<Value>(
        _ option: LoadOption,
        _ parse: (String) throws(LoadTextError) -> Value
    ) throws(Problem) -> [Value] {
        var values: [Value] = []
        for text in texts[option] ?? [] {
            do throws(LoadTextError) {
                values.append(try parse(text))
            } catch {
                throw Problem(option: option, message: error.description)
            }
        }
        return values
    }
}

/// The error for a text that stands for nothing: the text, and what is accepted.
package struct LoadTextError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The problem, and what is accepted.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
