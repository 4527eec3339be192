extension ContentPredicate {
    /// The options for comparing texts, written in square brackets after an operator (`NSComparisonPredicate.Options`).
    public struct Options: OptionSet, Sendable, Hashable {
        /// The options as bits.
        public let rawValue: UInt8

        /// Creates the options whose bits are set in `rawValue`.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// `[c]`: ignores case, and also width.
        public static let caseInsensitive = Self(rawValue: 1)

        /// `[d]`: ignores diacritics, and also width.
        public static let diacriticInsensitive = Self(rawValue: 2)

        /// `[n]`: the texts are already normalized, so they are compared unit by unit; the other options are ignored.
        public static let normalized = Self(rawValue: 4)
    }
}

extension ContentPredicate.Options {
    /// The letters of the options, in the order in which the platform prints them.
    static let letters: [(letter: Character, option: Self)] = [
        ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("n", .normalized),
    ]

    var canonicalText: String {
        guard !isEmpty else { return "" }
        return "[\(String(Self.letters.filter { contains($0.option) }.map(\.letter)))]"
    }

    /// The options that have an effect: with `[n]`, only `[n]`.
    var effective: Self {
        contains(.normalized) ? .normalized : self
    }
}
