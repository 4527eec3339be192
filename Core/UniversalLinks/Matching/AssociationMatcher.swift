public import WaypostSchema

/// A file's rules, compiled to decide which apps may be offered a URL.
///
/// Creating a matcher costs more than a match; keep it as long as the file.
public struct AssociationMatcher: Sendable {
    /// The file.
    public let file: AssociationFile

    /// The rules of all entries, in the order of the file.
    let rules: [AssociationFile.Placed<LinkRule>]

    /// The values of the variables in the rules' patterns.
    let variables: PatternVariables

    /// The same rules, completed with their defaults.
    private let completedRules: [LinkRule]
    private let compiled: [CompiledLinkRule]
    private let prefilters: [Prefilter]
    private let comparisons: [LinkSubject.Comparison]
    private let lists: RuleLists

    /// The properties that rule out most rules quickly; an array of them is contiguous in memory.
    private struct Prefilter {
        /// The index of the rule's comparison in `comparisons`.
        var comparisonIndex: Int
        var pathPrefix: PathPrefix
    }

    /// Compiles a file's rules.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - language: the value of `$(lang)`, or `nil` for any ISO language.
    ///   - region: the value of `$(region)`, or `nil` for any ISO region.
    public init(_ file: AssociationFile, language: String? = nil, region: String? = nil) {
        self.file = file
        rules = file.rules
        completedRules = file.completedRules
        lists = RuleLists(file.entries.map(\.value))
        variables = PatternVariables(file, language: language, region: region)
        var compiler = PatternCompiler(variables)
        var comparisons: [LinkSubject.Comparison] = []
        compiled = completedRules.map { rule in
            let index = comparisons.firstIndex(of: rule.comparison) ?? comparisons.count
            if index == comparisons.count { comparisons.append(rule.comparison) }
            return CompiledLinkRule(rule, comparisonIndex: index, &compiler)
        }
        prefilters = compiled.map { Prefilter(comparisonIndex: $0.comparisonIndex, pathPrefix: $0.pathPrefix) }
        self.comparisons = comparisons
    }

    /// The apps that the file names, in the order of the file.
    public var apps: [ApplicationIdentifier] {
        lists.apps
    }

    /// Matches a URL against the rules for `app`, across the app's entries; the first rule that matches decides.
    ///
    /// - Complexity: O(length of the URL · size of the rules), within a fixed budget.
    public func match(_ url: LinkURL, for app: ApplicationIdentifier) -> LinkMatch {
        guard let list = lists[app] else { return LinkMatch(reason: file.hasAppLinks ? .appNotInFile : .noAppLinks) }
        return match(LinkSubject(url, for: comparisons), rules: list)
    }

    /// Matches a URL against the rules for each of `apps`, in the order of `apps`.
    public func matches(_ url: LinkURL) -> [LinkMatch] {
        let subject = LinkSubject(url, for: comparisons)
        return lists.mapApps { match(subject, rules: $0) }
    }

    /// The budget for the rules of one app: an equal share of the total, so that no entry takes budget from another.
    private var budgetPerApp: WorkBudget {
        WorkBudget(steps: max(100_000, WorkBudget.stepsPerURL / max(1, lists.lists.count)))
    }

    private func match(_ subject: LinkSubject, rules ranges: [Range<Int>]) -> LinkMatch {
        var budget = budgetPerApp
        for range in ranges {
            for index in range {
                let comparisonIndex = prefilters[index].comparisonIndex
                guard prefilters[index].pathPrefix.mayMatch(subject.forms[comparisonIndex].pathStart) else { continue }
                if compiled[index].mismatch(in: subject.forms[comparisonIndex], &budget) == nil {
                    return LinkMatch(reason: compiled[index].isExclusion ? .excluded : .matched, rule: index)
                }
                if budget.isExhausted { return LinkMatch(reason: .tooMuchWork) }
            }
        }
        return LinkMatch(reason: .noRuleMatched)
    }

    /// Returns the rule at `index`, completed with its defaults.
    func completedRule(at index: Int) -> LinkRule {
        completedRules[index]
    }

    /// Returns the indices of the rules for an app, in the order of evaluation, or `nil` if the file does not name the
    /// app.
    func ruleList(of app: ApplicationIdentifier) -> [Int]? {
        lists[app].map { Array($0.joined()) }
    }

    /// Returns the first part of the URL that does not match, for each of some rules up to the one that decides.
    func mismatches(of url: LinkURL, _ rules: [Int]) -> [(rule: Int, part: CompiledLinkRule.Part?)] {
        let subject = LinkSubject(url, for: comparisons)
        var budget = budgetPerApp
        var mismatches: [(rule: Int, part: CompiledLinkRule.Part?)] = []
        for index in rules {
            let form = subject.forms[prefilters[index].comparisonIndex]
            let mayMatch = prefilters[index].pathPrefix.mayMatch(form.pathStart)
            let part = mayMatch ? compiled[index].mismatch(in: form, &budget) : .path
            if budget.isExhausted { break }
            mismatches.append((index, part))
            if part == nil { break }
        }
        return mismatches
    }
}

/// The result of matching a URL against the rules for an app.
public struct LinkMatch: Sendable, Hashable {
    /// The reason for the result.
    public var reason: LinkDecision.Reason

    /// The index of the rule that decided, among all rules of the file; `nil` if no rule did.
    public var rule: Int?

    /// The outcome: the rules offer the URL to the app, exclude it, or do not match it.
    public var outcome: LinkDecision.Outcome {
        switch reason {
        case .matched: .match
        case .excluded: .exclude
        default: .noMatch
        }
    }
}
