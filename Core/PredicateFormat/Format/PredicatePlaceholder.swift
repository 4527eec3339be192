/// A placeholder in a format, which is replaced with an argument.
struct PredicatePlaceholder: Equatable {
    /// The kind of argument that replaces it.
    enum Conversion: Equatable {
        /// `%@`: any value.
        case value

        /// `%K`: a key path.
        case keyPath

        /// `%d` and similar, of any length: a whole number.
        case integer

        /// `%f` and similar: a number.
        case real

        /// `%s`: a string.
        case string
    }

    var spelling: String
    var conversion: Conversion

    /// Creates the placeholder whose conversion ends with `letter`, or `nil` if there is no such conversion.
    init?(spelling: String, letter: UInt8) {
        let conversions: [(letters: String, conversion: Conversion)] = [
            ("@", .value), ("K", .keyPath), ("dDiuUxXoOc", .integer), ("feEgGaAF", .real), ("s", .string),
        ]
        guard let match = conversions.first(where: { $0.letters.utf8.contains(letter) }) else { return nil }
        self.spelling = spelling
        conversion = match.conversion
    }
}
