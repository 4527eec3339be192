/// A placeholder of a format, which an argument takes the place of.
struct PredicatePlaceholder: Equatable {
    /// What kind of argument takes its place.
    enum Conversion: Equatable {
        /// `%@`: any value.
        case value

        /// `%K`: a key path.
        case keyPath

        /// `%d` and its like, of any length: a whole number.
        case integer

        /// `%f` and its like: a number.
        case real

        /// `%s`: a string.
        case string
    }

    var spelling: String
    var conversion: Conversion

    /// Creates the placeholder whose conversion ends with `letter`; `nil` where no argument can take its place.
    init?(spelling: String, letter: UInt8) {
        let conversions: [(letters: String, conversion: Conversion)] = [
            ("@", .value), ("K", .keyPath), ("dDiuUxXoOc", .integer), ("feEgGaAF", .real), ("s", .string),
        ]
        guard let match = conversions.first(where: { $0.letters.utf8.contains(letter) }) else { return nil }
        self.spelling = spelling
        conversion = match.conversion
    }
}
