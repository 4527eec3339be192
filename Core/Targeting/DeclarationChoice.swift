internal import PredicateFormat
public import WaypostSchema

/// The choice of the declaration of which a new scene is (`Scene.handlesExternalEvents(matching:)`).
///
/// The rules are in `docs/targeting.md`.
public struct DeclarationChoice: Sendable, Equatable {
    /// The declaration; `nil` if none accepts the content, so that nothing opens.
    public let declaration: SceneDeclaration?

    /// A human-readable clause that explains the choice.
    public let explanation: String

    /// Chooses the declaration of a new scene; `nil` if the app does not say what it declares.
    ///
    /// - Parameters:
    ///   - query: the identifier and URLs of the content that arrived.
    ///   - rules: the declarations of the app, and whether it supports several scenes.
    public init?(for query: SceneQuery, by rules: SelectionRules) {
        guard !rules.declarations.isEmpty else { return nil }
        let windows = rules.declarations.filter { ($0.role ?? .windowApplication) == .windowApplication }
        let candidates = windows.filter { $0.kind != .documentGroup }
        let subject = rules.conditionSubject(for: query)?.text
        if let subject, let match = candidates.first(where: { $0.matches(subject) }) {
            self.init(match, because: "it is of '\(match.name)', the first declaration that matches the content")
        } else if let first = candidates.first(where: { $0.matching == nil }) {
            self.init(first, because: "it is of '\(first.name)', the first declaration without 'matching'")
        } else if subject == nil, let first = windows.first {
            self.init(first, because: "it is of '\(first.name)', the first declaration, because there is no content")
        } else {
            self.init(nil, because: "nothing opens, because no declaration matches it or is without 'matching'")
        }
    }

    private init(_ declaration: SceneDeclaration?, because explanation: String) {
        self.declaration = declaration
        self.explanation = explanation
    }
}

extension DeclarationChoice {
    /// The human-readable finding about the declarations; `nil` if one was chosen.
    var finding: String? {
        guard declaration == nil else { return nil }
        return "no declaration matches: leave one without 'matching', or give one the text \"*\""
    }
}

extension SceneDeclaration {
    /// Returns whether the content contains one of the texts of `matching`.
    fileprivate func matches(_ content: String) -> Bool {
        matching.map { ContentPredicate.externalEvents(matching: Set($0)).evaluation(with: content).result } ?? false
    }
}
