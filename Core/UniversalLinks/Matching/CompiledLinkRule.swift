/// A compiled rule.
struct CompiledLinkRule: Sendable {
    /// A part of a URL that a rule can match.
    enum Part: Hashable, Sendable {
        case path
        case query

        /// The items of the query with this name.
        case item(String)
        case fragment
    }

    /// The condition of a rule on a part.
    enum Test<Pattern: Sendable>: Sendable {
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
        var bytes: [UInt8]
        var test: Test<LinkPattern>
    }

    /// The index of the rule's comparison among the distinct comparisons in its file.
    let comparisonIndex: Int
    let isExclusion: Bool

    /// The beginning of all paths that the rule matches.
    let pathPrefix: PathPrefix
    private let path: Test<PathPattern>
    private let query: Test<LinkPattern>
    private let items: [Item]
    private let fragment: Test<LinkPattern>

    /// Compiles a rule that is completed with its defaults.
    init(_ rule: LinkRule, comparisonIndex: Int, _ compiler: inout PatternCompiler) {
        let foldingCase = rule.comparison.ignoresCase
        self.comparisonIndex = comparisonIndex
        isExclusion = rule.isExclusion
        path = rule.path.map { Self.test(compiler.compilePath($0, foldingCase: foldingCase)) } ?? .anything
        pathPrefix = if case .matches(let pattern) = path { PathPrefix(pattern) } else { PathPrefix(nil) }
        fragment = rule.fragment.map { Self.test(compiler.compile($0, foldingCase: foldingCase)) } ?? .anything
        switch rule.query {
        case nil:
            (query, items) = (.anything, [])
        case .whole(let pattern)?:
            (query, items) = (Self.test(compiler.compile(pattern, foldingCase: foldingCase)), [])
        case .items(let requiredItems)?:
            query = .anything
            items = requiredItems.map { item in
                Item(
                    name: item.name,
                    bytes: foldingCase ? CaseFolding.folded(item.name.utf8) : Array(item.name.utf8),
                    test: Self.test(compiler.compile(item.pattern, foldingCase: foldingCase))
                )
            }
        }
    }

    private static func test(_ pattern: PathPattern?) -> Test<PathPattern> {
        guard let pattern else { return .never }
        return pattern.whole.matchesEverything ? .anything : .matches(pattern)
    }

    private static func test(_ pattern: LinkPattern?) -> Test<LinkPattern> {
        guard let pattern else { return .never }
        return pattern.matchesEverything ? .anything : .matches(pattern)
    }

    /// Returns the first part of a URL that does not match, or `nil` if all parts match.
    func mismatch(in form: borrowing LinkSubject.Form, _ budget: inout WorkBudget) -> Part? {
        guard budget.spend(1) else { return .path }
        let bytes = form.bytes.span
        switch path {
        case .anything: break
        case .matches(let pattern): if !pattern.matches(bytes.extracting(form.path), &budget) { return .path }
        case .never: return .path
        }
        guard Self.holds(query, for: bytes.extracting(form.query), &budget) else { return .query }
        for item in items where !Self.holds(item, in: form, &budget) { return .item(item.name) }
        guard Self.holds(fragment, for: bytes.extracting(form.fragment), &budget) else { return .fragment }
        return nil
    }

    private static func holds(
        _ test: borrowing Test<LinkPattern>,
        for text: Span<UInt8>,
        _ budget: inout WorkBudget
    ) -> Bool {
        switch test {
        case .anything: true
        case .matches(let pattern): pattern.matches(text, &budget)
        case .never: false
        }
    }

    /// Returns whether all items of the name match; if there are none, the empty string must match (WWDC19 session
    /// 717).
    private static func holds(
        _ item: borrowing Item,
        in form: borrowing LinkSubject.Form,
        _ budget: inout WorkBudget
    ) -> Bool {
        var hasItem = false
        guard budget.spend(form.items.count) else { return false }
        for (name, value) in form.items where form.bytes[name].elementsEqual(item.bytes) {
            hasItem = true
            guard holds(item.test, for: form.bytes.span.extracting(value), &budget) else { return false }
        }
        return hasItem || holds(item.test, for: form.bytes.span.extracting(0..<0), &budget)
    }
}

extension LinkRule {
    /// The way in which the rule is compared with URLs, if the rule is completed with its defaults.
    var comparison: LinkSubject.Comparison {
        LinkSubject.Comparison(ignoresCase: caseSensitive == false, decodesEscapes: percentEncoded == false)
    }
}
