internal import TextBasics

/// A closed set of names; any other value is refused with the name that was probably meant, or with those accepted.
public protocol StringEnum: RawRepresentable<String>, Codable, CaseIterable, Sendable {}

extension StringEnum {
    /// Parses a name.
    ///
    /// - Throws: `DecodingError` that suggests a name, or lists the accepted ones.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let value = Self(rawValue: name) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: Self.problem(with: name))
        }
        self = value
    }

    /// The maximum number of names in a message.
    private static var maximumListedNames: Int { 12 }

    private static func problem(with name: String) -> String {
        let names = allCases.map(\.rawValue)
        if let nearest = name.nearest(among: names) { return "'\(name)' is not known; did you mean '\(nearest)'?" }
        guard names.count > maximumListedNames else {
            return "'\(name)' is not one of \(names.joined(separator: ", "))"
        }
        return "'\(name)' is not one of the \(names.count) names in 'waypost schema'"
    }
}
