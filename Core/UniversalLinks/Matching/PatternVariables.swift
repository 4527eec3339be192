internal import WaypostSchema

/// The meanings of `$(name)` in the patterns of a file.
struct PatternVariables: Sendable {
    /// The meaning of a name.
    enum Meaning: Sendable {
        /// One of these characters.
        case oneOf([UInt8])

        /// One of these values.
        case values([String])
    }

    private let meanings: [String: Meaning]

    /// Creates the variables of a file: the predefined ones and its own, which take precedence.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - language: the value of `$(lang)`, or `nil` for any language.
    ///   - region: the value of `$(region)`, or `nil` for any region.
    init(_ file: AssociationFile, language: String?, region: String?) {
        var meanings = Self.characterSets.mapValues(Meaning.oneOf)
        meanings["lang"] = .values(language.map { [$0] } ?? ISOCodes.languages)
        meanings["region"] = .values(region.map { [$0] } ?? ISOCodes.regions)
        for (name, values) in file.substitutionVariables {
            // A value cannot contain variables.
            meanings[name] = .values(values.value.map(\.value).filter { !PatternPart.hasVariables($0) })
        }
        self.meanings = meanings
    }

    private init() {
        meanings = [:]
    }

    /// No variables.
    static let none = PatternVariables()

    subscript(name: String) -> Meaning? {
        meanings[name]
    }

    /// The names with a predefined meaning.
    static let predefinedNames = Set(characterSets.keys).union(["lang", "region"])

    private static let characterSets: [String: [UInt8]] = {
        let (upper, lower) = (Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8), Array("abcdefghijklmnopqrstuvwxyz".utf8))
        let digits = Array("0123456789".utf8)
        return [
            "alpha": upper + lower, "upper": upper, "lower": lower, "alnum": upper + lower + digits, "digit": digits,
            "xdigit": digits + Array("ABCDEFabcdef".utf8),
        ]
    }()
}
