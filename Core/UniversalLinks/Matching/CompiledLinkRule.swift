/// A compiled rule.
struct CompiledLinkRule: Sendable {
    /// A part of a URL that a rule can match.
    enum URLPart: Hashable, Sendable {
        case path
        case query

        /// The items of the query with this name.
        case item(String)
        case fragment
    }

    /// The condition of a rule on a part.
    enum Condition<Pattern: Sendable>: Sendable {
        /// Any text.
        case anything

        /// A text that matches the pattern.
        case matches(Pattern)

        /// No text, because the pattern has a variable without a meaning.
        case never
    }

    /// The condition of a rule on the items of one name.
    struct Item: Sendable {
        var name: String

        /// The name, folded in the same way as the URL.
        var nameBytes: [UInt8]
        var condition: Condition<LinkPattern>
    }

    /// The index of the rule's comparison mode among the distinct ones in its file.
    let comparisonModeIndex: Int
    let isExclusion: Bool

    /// The beginning of all paths that the rule matches.
    let pathPrefix: PathPrefix
    private let path: Condition<PathPattern>
    private let query: Condition<LinkPattern>
    private let items: [Item]
    private let fragment: Condition<LinkPattern>

    /// Compiles a rule that has its defaults applied.
    init(_ rule: LinkRule, comparisonModeIndex: Int, _ compiler: inout PatternCompiler) {
        let foldingCase = rule.comparisonMode.ignoresCase
        self.comparisonModeIndex = comparisonModeIndex
        isExclusion = rule.isExclusion
        path = rule.path.map { Self.condition(for: compiler.compilePath($0, foldingCase: foldingCase)) } ?? .anything
        pathPrefix = if case .matches(let pattern) = path { PathPrefix(pattern) } else { PathPrefix(nil) }
        fragment =
            rule.fragment.map { Self.condition(for: compiler.compile($0, foldingCase: foldingCase)) } ?? .anything
        switch rule.query {
        case nil:
            (query, items) = (.anything, [])
        case .whole(let pattern)?:
            (query, items) = (Self.condition(for: compiler.compile(pattern, foldingCase: foldingCase)), [])
        case .items(let requiredItems)?:
            query = .anything
            items = requiredItems.map { item in
                Item(
                    name: item.name,
                    nameBytes: foldingCase ? CaseFolding.folded(item.name.utf8) : Array(item.name.utf8),
                    condition: Self.condition(for: compiler.compile(item.pattern, foldingCase: foldingCase))
                )
            }
        }
    }

    private static func condition(for pattern: PathPattern?) -> Condition<PathPattern> {
        guard let pattern else { return .never }
        return pattern.whole.matchesEverything ? .anything : .matches(pattern)
    }

    private static func condition(for pattern: LinkPattern?) -> Condition<LinkPattern> {
        guard let pattern else { return .never }
        return pattern.matchesEverything ? .anything : .matches(pattern)
    }

    /// Returns the first part of a URL that does not match, or `nil` if all parts match.
    func mismatch(in form: borrowing NormalizedURL.Form, _ budget: inout WorkBudget) -> URLPart? {
        guard budget.spend(1) else { return .path }
        let bytes = form.bytes.span
        switch path {
        case .anything: break
        case .matches(let pattern): if !pattern.matches(bytes.extracting(form.path), &budget) { return .path }
        case .never: return .path
        }
        guard Self.isSatisfied(query, by: bytes.extracting(form.query), &budget) else { return .query }
        for item in items where !Self.isSatisfied(item, in: form, &budget) { return .item(item.name) }
        guard Self.isSatisfied(fragment, by: bytes.extracting(form.fragment), &budget) else { return .fragment }
        return nil
    }

    private static func isSatisfied(
        _ condition: borrowing Condition<LinkPattern>,
        by text: Span<UInt8>,
        _ budget: inout WorkBudget
    ) -> Bool {
        switch condition {
        case .anything: true
        case .matches(let pattern): pattern.matches(text, &budget)
        case .never: false
        }
    }

    /// Returns whether all items of the name match; if there are none, the empty string must match (WWDC19 session
    /// 717).
    private static func isSatisfied(
        _ item: borrowing Item,
        in form: borrowing NormalizedURL.Form,
        _ budget: inout WorkBudget
    ) -> Bool {
        var hasItem = false
        guard budget.spend(form.items.count) else { return false }
        for (name, value) in form.items where form.bytes[name].elementsEqual(item.nameBytes) {
            hasItem = true
            guard isSatisfied(item.condition, by: form.bytes.span.extracting(value), &budget) else { return false }
        }
        return hasItem || isSatisfied(item.condition, by: form.bytes.span.extracting(0..<0), &budget)
    }
}

extension LinkRule {
    /// The way in which the rule is compared with URLs, if its defaults are applied.
    var comparisonMode: NormalizedURL.ComparisonMode {
        NormalizedURL.ComparisonMode(ignoresCase: caseSensitive == false, decodesEscapes: percentEncoded == false)
    }
}
