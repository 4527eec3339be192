internal import JSONScanning
public import WaypostSchema

extension LinkRule: CustomStringConvertible {
    /// The rule as it would stand in a file: an object, or for a rule of `paths` a string.
    public var description: String {
        switch form {
        case .component: "{" + members.joined(separator: ",") + "}"
        case .path: ((isExclusion ? Self.not : "") + (path ?? "")).printableJSON
        }
    }

    /// What a rule of `paths` that keeps URLs from the app starts with.
    static let not = "NOT "

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

    /// Reads a rule that stands alone: what `description` has.
    ///
    /// - Throws: `AssociationFinding`, the first thing that is wrong with it, where it cannot be used.
    public init(_ text: String) throws(AssociationFinding) {
        var reader = try AssociationReader(Array(text.utf8))
        let rule = reader.rule(reader.root, at: PlacePath())
        if let finding = reader.findings.first(where: { $0.severity == .error }) { throw finding }
        guard let rule else { preconditionFailure("a rule is left out only with a finding") }
        self = rule
    }
}

extension LinkRule.Query: CustomStringConvertible {
    /// What is asked of the query, as it would stand in a file.
    public var description: String {
        switch self {
        case .whole(let pattern): pattern.printableJSON
        case .items(let items):
            "{" + items.map { $0.name.printableJSON + ":" + $0.pattern.printableJSON }.joined(separator: ",") + "}"
        }
    }
}
