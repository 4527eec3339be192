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

    let comparison: LinkSubject.Comparison
    let isExclusion: Bool
    private let path: Test<PathPattern>
    private let query: Test<LinkPattern>
    private let items: [Item]
    private let fragment: Test<LinkPattern>

    /// Makes a rule ready that says all there is to say of it.
    init(_ rule: LinkRule, _ compiler: inout PatternCompiler) {
        let isFolded = rule.caseSensitive == false
        comparison = LinkSubject.Comparison(isFolded: isFolded, isDecoded: rule.percentEncoded == false)
        isExclusion = rule.isExclusion
        path = rule.path.map { Self.test(compiler.compilePath($0, isFolded: isFolded)) } ?? .anything
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
    func mismatch(in form: LinkSubject.Form, _ budget: inout WorkBudget) -> Part? {
        guard budget.spend(1) else { return .path }
        switch path {
        case .anything: break
        case .matches(let pattern): if !pattern.matches(form.bytes, in: form.path, &budget) { return .path }
        case .never: return .path
        }
        guard Self.holds(query, in: form, form.query, &budget) else { return .query }
        for item in items where !Self.holds(item, in: form, &budget) { return .item(item.name) }
        guard Self.holds(fragment, in: form, form.fragment, &budget) else { return .fragment }
        return nil
    }

    private static func holds(
        _ test: Test<LinkPattern>,
        in form: LinkSubject.Form,
        _ range: Range<Int>,
        _ budget: inout WorkBudget
    ) -> Bool {
        switch test {
        case .anything: true
        case .matches(let pattern): pattern.matches(form.bytes, in: range, &budget)
        case .never: false
        }
    }

    /// All items of the name must match; where there is none, the empty string must (WWDC19 session 717).
    private static func holds(_ item: Item, in form: LinkSubject.Form, _ budget: inout WorkBudget) -> Bool {
        var isThere = false
        guard budget.spend(form.items.count) else { return false }
        for (name, value) in form.items where form.bytes[name].elementsEqual(item.bytes) {
            isThere = true
            guard holds(item.test, in: form, value, &budget) else { return false }
        }
        return isThere || holds(item.test, in: form, 0..<0, &budget)
    }
}
