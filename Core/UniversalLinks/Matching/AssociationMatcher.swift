public import WaypostSchema

/// A file's rules, ready to say which apps may be offered a URL.
///
/// Making one costs more than a match; keep it for as long as the file.
public struct AssociationMatcher: Sendable {
    /// The file.
    public let file: AssociationFile

    /// The rules of all entries, in the order of the file.
    let rules: [AssociationFile.Placed<LinkRule>]

    /// What the variables in their patterns stand for.
    let variables: PatternVariables

    /// The same rules, with what their defaults say.
    private let wholeRules: [LinkRule]
    private let compiled: [CompiledLinkRule]
    private let outlines: [Outline]
    private let comparisons: [LinkSubject.Comparison]
    private let lists: RuleLists

    /// What most rules are passed over by, side by side in memory.
    private struct Outline {
        var form: Int
        var pathPrefix: PathPrefix
    }

    /// Makes a file's rules ready.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - language: what `$(lang)` stands for; any ISO language where it is `nil`.
    ///   - region: what `$(region)` stands for; any ISO region where it is `nil`.
    public init(_ file: AssociationFile, language: String? = nil, region: String? = nil) {
        self.file = file
        rules = file.rules
        wholeRules = file.wholeRules
        lists = RuleLists(file.entries.map(\.value))
        variables = PatternVariables(file, language: language, region: region)
        var compiler = PatternCompiler(variables)
        var comparisons: [LinkSubject.Comparison] = []
        compiled = wholeRules.map { rule in
            let form = comparisons.firstIndex(of: rule.comparison) ?? comparisons.count
            if form == comparisons.count { comparisons.append(rule.comparison) }
            return CompiledLinkRule(rule, form: form, &compiler)
        }
        outlines = compiled.map { Outline(form: $0.form, pathPrefix: $0.pathPrefix) }
        self.comparisons = comparisons
    }

    /// The apps that the file names, in the order of the file.
    public var apps: [ApplicationIdentifier] {
        lists.apps
    }

    /// Returns what the rules for `app` say of a URL: the first one that matches decides, across the app's entries.
    ///
    /// - Complexity: O(length of the URL · size of the rules), within a fixed budget.
    public func match(_ url: LinkURL, for app: ApplicationIdentifier) -> LinkMatch {
        guard let list = lists[app] else { return LinkMatch(reason: file.hasAppLinks ? .appNotInFile : .noAppLinks) }
        return match(LinkSubject(url, for: comparisons), list)
    }

    /// Returns what the rules for each of `apps` say of a URL, in the order of `apps`.
    public func matches(_ url: LinkURL) -> [LinkMatch] {
        let subject = LinkSubject(url, for: comparisons)
        return lists.forEachApp { match(subject, $0) }
    }

    /// What may be spent on the rules of one app: a share of what may be spent on all, so that no entry takes from another.
    private var share: WorkBudget {
        WorkBudget(steps: max(100_000, WorkBudget.steps / max(1, lists.lists.count)))
    }

    private func match(_ subject: LinkSubject, _ list: [Range<Int>]) -> LinkMatch {
        var budget = share
        for range in list {
            for index in range {
                let outline = outlines[index]
                guard outline.pathPrefix.mayStart(subject.forms[outline.form].pathStart) else { continue }
                if compiled[index].mismatch(in: subject.forms[outline.form], &budget) == nil {
                    return LinkMatch(reason: compiled[index].isExclusion ? .excluded : .matched, rule: index)
                }
                if budget.isExhausted { return LinkMatch(reason: .tooMuchWork) }
            }
        }
        return LinkMatch(reason: .noRuleMatched)
    }

    /// The rule at `index` with what its defaults say.
    func wholeRule(_ index: Int) -> LinkRule {
        wholeRules[index]
    }

    /// The rules for an app, by their place among all, in the order in which they are tried; `nil` where it has no entry.
    func ruleList(of app: ApplicationIdentifier) -> [Int]? {
        lists[app].map { Array($0.joined()) }
    }

    /// Returns, for each of some rules up to the one that decides, the first part of the URL that does not match.
    func mismatches(of url: LinkURL, _ rules: [Int]) -> [(rule: Int, part: CompiledLinkRule.Part?)] {
        let subject = LinkSubject(url, for: comparisons)
        var budget = share
        var mismatches: [(rule: Int, part: CompiledLinkRule.Part?)] = []
        for index in rules {
            let form = subject.forms[outlines[index].form]
            let mayMatch = outlines[index].pathPrefix.mayStart(form.pathStart)
            let part = mayMatch ? compiled[index].mismatch(in: form, &budget) : .path
            if budget.isExhausted { break }
            mismatches.append((index, part))
            if part == nil { break }
        }
        return mismatches
    }
}

/// What the rules of a file say of a URL for an app.
public struct LinkMatch: Sendable, Hashable {
    /// What decided.
    public var reason: LinkDecision.Reason

    /// The rule that decided, by its place among all rules of the file; `nil` where none did.
    public var rule: Int?

    /// Whether the URL may be offered to the app, is kept from it, or neither.
    public var outcome: LinkDecision.Outcome {
        switch reason {
        case .matched: .match
        case .excluded: .exclude
        default: .noMatch
        }
    }
}
