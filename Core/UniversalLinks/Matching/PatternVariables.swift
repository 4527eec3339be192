internal import WaypostSchema

/// What `$(name)` stands for in the patterns of a file.
struct PatternVariables: Sendable {
    /// What a name stands for.
    enum Meaning: Sendable {
        /// One of these characters.
        case oneOf([UInt8])

        /// One of these values.
        case values([String])
    }

    private let meanings: [String: Meaning]

    /// Creates the variables of a file: its own and the predefined ones, which its own go before.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - language: what `$(lang)` stands for; any language where it is `nil`.
    ///   - region: what `$(region)` stands for; any region where it is `nil`.
    init(_ file: AssociationFile, language: String?, region: String?) {
        var meanings = Self.characterSets.mapValues(Meaning.oneOf)
        meanings["lang"] = .values(language.map { [$0] } ?? ISOCodes.languages)
        meanings["region"] = .values(region.map { [$0] } ?? ISOCodes.regions)
        for (name, values) in file.substitutionVariables {
            // A value may not have variables in it.
            meanings[name] = .values(values.value.map(\.value).filter { !PatternPart.hasVariables($0) })
        }
        self.meanings = meanings
    }

    private init() {
        meanings = [:]
    }

    /// No variables at all.
    static let none = PatternVariables()

    subscript(name: String) -> Meaning? {
        meanings[name]
    }

    /// The names that stand for something in every file.
    static let predefined = Set(characterSets.keys).union(["lang", "region"])

    private static let characterSets: [String: [UInt8]] = {
        let (upper, lower) = (Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8), Array("abcdefghijklmnopqrstuvwxyz".utf8))
        let digits = Array("0123456789".utf8)
        return [
            "alpha": upper + lower, "upper": upper, "lower": lower, "alnum": upper + lower + digits, "digit": digits,
            "xdigit": digits + Array("ABCDEFabcdef".utf8),
        ]
    }()
}
