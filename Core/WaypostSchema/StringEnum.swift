/// A closed set of names; any other value is refused with a list of the accepted names.
public protocol StringEnum: RawRepresentable<String>, Codable, CaseIterable, Sendable {}

extension StringEnum {
    /// Parses a name.
    ///
    /// - Throws: `DecodingError` that lists the accepted names.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let value = Self(rawValue: name) else {
            let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(name)' is not one of \(names)")
        }
        self = value
    }
}
