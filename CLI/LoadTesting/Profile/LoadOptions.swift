package import Fleets
internal import SchemaFiles

/// The values of the options of a load test as strings, from the command line or from a profile.
package struct LoadOptions: Sendable, Equatable {
    /// The error for a value that cannot be used.
    package struct Problem: Error, Sendable, Equatable {
        /// The option.
        package let option: LoadOption

        /// The problem, and what is accepted.
        package let message: String

        /// Whether the problem is in the file that the option names, and not in the value of the option.
        package var isInFile = false
    }

    /// The values of the options that are set; `true` and `false` for a flag.
    package var strings: [LoadOption: [String]] = [:]

    /// The behavior of the devices that a profile contains.
    package var behavior: FleetBehavior?

    /// Creates options without values.
    package init() {}

    /// Returns these options, and those that only a profile sets.
    package func completed(by profile: Self) -> Self {
        var completed = self
        completed.strings.merge(profile.strings) { own, _ in own }
        // A schedule or a behavior of the command line replaces the profile's, whatever its form is.
        let schedules: [LoadOption] = [.rate, .rates, .closed]
        if schedules.contains(where: { strings[$0] != nil }) {
            for option in schedules where strings[option] == nil { completed.strings[option] = nil }
        }
        if strings[.behavior] == nil { completed.behavior = profile.behavior }
        return completed
    }

    subscript(option: LoadOption) -> String? {
        strings[option]?.last
    }

    /// Returns whether a flag is set.
    func isSet(_ option: LoadOption) -> Bool {
        self[option] == "true"
    }

    /// Returns the whole number of an option, or `nil` if it is not set.
    func integer(_ option: LoadOption) throws(Problem) -> Int? {
        guard let string = self[option], case .integer(let range) = option.declaration.form else { return nil }
        if let number = Int(string), range.contains(number) { return number }
        let accepted = "use a whole number from \(range.lowerBound) to \(range.upperBound)"
        throw Problem(option: option, message: "'\(string)'; \(accepted)")
    }

    /// Returns the word of an option, or `nil` if it is not set.
    func choice(_ option: LoadOption) throws(Problem) -> String? {
        guard let string = self[option], case .choice(let words) = option.declaration.form else { return nil }
        if words.contains(string) { return string }
        throw Problem(option: option, message: "'\(string)'; use \(SchemaReader.list(words))")
    }

    /// Returns the value that `parse` makes of a string, or `nil` if the option is not set.
    func value<Value>(
        _ option: LoadOption,
        _ parse: (String) throws(LoadValueError) -> Value
    ) throws(Problem) -> Value? {
        try values(option, parse).last
    }

    /// Returns the values that `parse` makes of all strings of an option.
    func values<Value>(
        _ option: LoadOption,
        _ parse: (String) throws(LoadValueError) -> Value
    ) throws(Problem) -> [Value] {
        var values: [Value] = []
        for string in strings[option] ?? [] {
            do throws(LoadValueError) {
                values.append(try parse(string))
            } catch {
                throw Problem(option: option, message: error.description, isInFile: error.isInFile)
            }
        }
        return values
    }
}

/// The error for a string that is no value of an option: the string, and what is accepted.
package struct LoadValueError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The problem, and what is accepted.
    package let description: String

    /// Whether the problem is in a file that the string names.
    let isInFile: Bool

    init(_ description: String, isInFile: Bool = false) {
        (self.description, self.isInFile) = (description, isInFile)
    }
}
