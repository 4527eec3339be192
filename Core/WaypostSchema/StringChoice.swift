/// A closed set of names: a value that is none of them is refused with those that are.
public protocol StringChoice: RawRepresentable<String>, Codable, CaseIterable, Sendable {}

extension StringChoice {
    /// Reads a name.
    ///
    /// - Throws: `DecodingError` listing the names that are accepted.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let choice = Self(rawValue: name) else {
            let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(name)' is none of \(names)")
        }
        self = choice
    }
}
