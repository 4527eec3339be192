/// A rule ready to be matched.
struct CompiledLinkRule: Sendable {
    /// A part of a URL that a rule is about.
    enum Part: Hashable, Sendable {
        case path
        case query

        /// The items of the query with this name.
        case item(String)
        case fragment
    }

    /// What is asked of a part.
    enum Test<Pattern: Sendable>: Sendable {
        /// Nothing.
        case anything

        /// That it matches the pattern.
        case matches(Pattern)

        /// What nothing can satisfy: the pattern has a variable that stands for nothing.
        case never
    }

    /// What is asked of the items of one name.
    struct Item: Sendable {
        var name: String

        /// The name, in the form that the rule is compared with.
        var bytes: [UInt8]
        var test: Test<LinkPattern>
    }

    /// How the rule is compared with a URL, by its place among all ways of its file.
    let form: Int
    let isExclusion: Bool

    /// How paths that it matches start.
    let pathPrefix: PathPrefix
    private let path: Test<PathPattern>
    private let query: Test<LinkPattern>
    private let items: [Item]
    private let fragment: Test<LinkPattern>

    /// Makes a rule ready that says all there is to say of it.
    init(_ rule: LinkRule, form: Int, _ compiler: inout PatternCompiler) {
        let isFolded = rule.comparison.isFolded
        self.form = form
        isExclusion = rule.isExclusion
        path = rule.path.map { Self.test(compiler.compilePath($0, isFolded: isFolded)) } ?? .anything
        pathPrefix = if case .matches(let pattern) = path { PathPrefix(pattern) } else { PathPrefix(nil) }
        fragment = rule.fragment.map { Self.test(compiler.compile($0, isFolded: isFolded)) } ?? .anything
        switch rule.query {
        case nil:
            (query, items) = (.anything, [])
        case .whole(let pattern)?:
            (query, items) = (Self.test(compiler.compile(pattern, isFolded: isFolded)), [])
        case .items(let asked)?:
            query = .anything
            items = asked.map { item in
                Item(
                    name: item.name,
                    bytes: isFolded ? CaseFolding.folded(item.name.utf8) : Array(item.name.utf8),
                    test: Self.test(compiler.compile(item.pattern, isFolded: isFolded))
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

    /// Returns the first part of a URL that does not match; `nil` where all do.
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

    /// All items of the name must match; where there is none, the empty string must (WWDC19 session 717).
    private static func holds(
        _ item: borrowing Item,
        in form: borrowing LinkSubject.Form,
        _ budget: inout WorkBudget
    ) -> Bool {
        var isThere = false
        guard budget.spend(form.items.count) else { return false }
        for (name, value) in form.items where form.bytes[name].elementsEqual(item.bytes) {
            isThere = true
            guard holds(item.test, for: form.bytes.span.extracting(value), &budget) else { return false }
        }
        return isThere || holds(item.test, for: form.bytes.span.extracting(0..<0), &budget)
    }
}

extension LinkRule {
    /// How the rule is compared with URLs, where it says all there is to say of it.
    var comparison: LinkSubject.Comparison {
        LinkSubject.Comparison(isFolded: caseSensitive == false, isDecoded: percentEncoded == false)
    }
}
