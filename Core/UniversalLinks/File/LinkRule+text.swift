internal import JSONScanning
public import WaypostSchema

extension LinkRule: CustomStringConvertible {
    /// The rule as written in a file: an object, or a string for a rule of `paths`.
    public var description: String {
        switch form {
        case .component: "{" + members.joined(separator: ",") + "}"
        case .path: ((isExclusion ? Self.exclusionPrefix : "") + (path ?? "")).printableJSON
        }
    }

    /// The prefix of an exclusion in `paths`.
    static let exclusionPrefix = "NOT "

    private var members: [String] {
        [
            path.map { #""/":"# + $0.printableJSON },
            query.map { #""?":"# + $0.description },
            fragment.map { ##""#":"## + $0.printableJSON },
            exclude.map { #""exclude":\#($0)"# },
            caseSensitive.map { #""caseSensitive":\#($0)"# },
            percentEncoded.map { #""percentEncoded":\#($0)"# },
            comment.map { #""comment":"# + $0.printableJSON },
        ].compactMap { $0 }
    }

    /// Parses a single rule, as `description` writes it.
    ///
    /// - Throws: `AssociationFinding` for the first error, if the rule cannot be used.
    public init(_ text: String) throws(AssociationFinding) {
        var reader = try AssociationReader(Array(text.utf8))
        let rule = reader.rule(reader.root, at: JSONKeyPath())
        if let finding = reader.findings.first(where: { $0.severity == .error }) { throw finding }
        guard let rule else { preconditionFailure("a rule is ignored only with a finding") }
        self = rule
    }
}

extension LinkRule.Query: CustomStringConvertible {
    /// The patterns for the query, as written in a file.
    public var description: String {
        switch self {
        case .whole(let pattern): pattern.printableJSON
        case .items(let items):
            "{" + items.map { $0.name.printableJSON + ":" + $0.pattern.printableJSON }.joined(separator: ",") + "}"
        }
    }
}
