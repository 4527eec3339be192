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

    /// The same rules with their defaults applied.
    private let effectiveRules: [LinkRule]
    private let compiledRules: [CompiledLinkRule]
    private let prefilters: [Prefilter]
    private let comparisonModes: [NormalizedURL.ComparisonMode]
    private let ruleLists: RuleLists

    /// The properties that rule out most rules quickly; an array of them is contiguous in memory.
    private struct Prefilter {
        /// The index of the rule's comparison mode in `comparisonModes`.
        var comparisonModeIndex: Int
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
        effectiveRules = file.effectiveRules
        ruleLists = RuleLists(file.entries.map(\.value))
        variables = PatternVariables(file, language: language, region: region)
        var compiler = PatternCompiler(variables)
        var comparisonModes: [NormalizedURL.ComparisonMode] = []
        compiledRules = effectiveRules.map { rule in
            let index = comparisonModes.firstIndex(of: rule.comparisonMode) ?? comparisonModes.count
            if index == comparisonModes.count { comparisonModes.append(rule.comparisonMode) }
            return CompiledLinkRule(rule, comparisonModeIndex: index, &compiler)
        }
        prefilters = compiledRules.map {
            Prefilter(comparisonModeIndex: $0.comparisonModeIndex, pathPrefix: $0.pathPrefix)
        }
        self.comparisonModes = comparisonModes
    }

    /// The apps that the file names, in the order of the file.
    public var apps: [ApplicationIdentifier] {
        ruleLists.apps
    }

    /// Matches a URL against the rules for `app`, across the app's entries; the first rule that matches decides.
    ///
    /// - Complexity: O(length of the URL · size of the rules), within a fixed budget.
    public func match(_ url: LinkURL, for app: ApplicationIdentifier) -> LinkMatch {
        guard let list = ruleLists[app] else {
            return LinkMatch(reason: file.hasAppLinks ? .appNotInFile : .noAppLinks)
        }
        var stepCount = 0
        return match(NormalizedURL(url, for: comparisonModes), rules: list, counting: &stepCount)
    }

    /// Matches a URL against the rules for each app of the file, and returns the results in the order of `apps`.
    public func matchAllApps(_ url: LinkURL) -> [LinkMatch] {
        var stepCount = 0
        return matchAllApps(url, counting: &stepCount)
    }

    /// Matches a URL against the rules for each app of the file, and adds the steps of the work to `stepCount`.
    func matchAllApps(_ url: LinkURL, counting stepCount: inout Int) -> [LinkMatch] {
        let normalizedURL = NormalizedURL(url, for: comparisonModes)
        return ruleLists.mapApps { match(normalizedURL, rules: $0, counting: &stepCount) }
    }

    /// The number of results for a URL: a decision for each app, and the result of each of its rules.
    var resultCountPerURL: Int {
        let counts = ruleLists.mapApps { ranges in 1 + ranges.reduce(0) { $0 + $1.count } }
        return max(1, counts.reduce(0, +))
    }

    /// The budget for the rules of one app: an equal share of the total, so that no entry takes budget from another.
    private var budgetPerApp: WorkBudget {
        WorkBudget(steps: max(100_000, WorkBudget.stepsPerURL / max(1, ruleLists.distinctLists.count)))
    }

    private func match(
        _ normalizedURL: NormalizedURL,
        rules ranges: [Range<Int>],
        counting stepCount: inout Int
    ) -> LinkMatch {
        var budget = budgetPerApp
        defer { stepCount += budget.spentSteps }
        for range in ranges {
            for index in range {
                let formIndex = prefilters[index].comparisonModeIndex
                guard prefilters[index].pathPrefix.mayMatch(normalizedURL.forms[formIndex].pathStart) else { continue }
                if compiledRules[index].mismatch(in: normalizedURL.forms[formIndex], &budget) == nil {
                    return LinkMatch(reason: compiledRules[index].isExclusion ? .excluded : .matched, ruleIndex: index)
                }
                if budget.isExhausted { return LinkMatch(reason: .tooMuchWork) }
            }
        }
        return LinkMatch(reason: .noRuleMatched)
    }

    /// Returns the place at which the file offers a URL to an app: the index in `details`, and that of the identifier there.
    ///
    /// It is `nil` if the file does not offer the URL to the app.
    func place(of app: ApplicationIdentifier, for url: LinkURL) -> (details: Int, identifier: Int)? {
        let match = match(url, for: app)
        guard match.outcome == .match, var ruleIndex = match.ruleIndex else { return nil }
        for (index, entry) in file.entries.map(\.value).enumerated() {
            guard ruleIndex >= entry.rules.count else {
                return entry.apps.firstIndex { $0.value == app }.map { (index, $0) }
            }
            ruleIndex -= entry.rules.count
        }
        return nil
    }

    /// Returns the rule at `index` with its defaults applied.
    func effectiveRule(at index: Int) -> LinkRule {
        effectiveRules[index]
    }

    /// Returns the indices of the rules for an app, in the order of evaluation, or `nil` if the file does not name the
    /// app.
    func ruleIndices(for app: ApplicationIdentifier) -> [Int]? {
        ruleLists[app].map { Array($0.joined()) }
    }

    /// Returns the first part of the URL that does not match, for each of some rules up to the one that decides.
    ///
    /// The steps of the work are added to `stepCount`.
    func mismatches(
        of url: LinkURL,
        rulesAt indices: [Int],
        counting stepCount: inout Int
    ) -> [(ruleIndex: Int, part: CompiledLinkRule.URLPart?)] {
        let normalizedURL = NormalizedURL(url, for: comparisonModes)
        var budget = budgetPerApp
        defer { stepCount += budget.spentSteps }
        var mismatches: [(ruleIndex: Int, part: CompiledLinkRule.URLPart?)] = []
        for index in indices {
            let form = normalizedURL.forms[prefilters[index].comparisonModeIndex]
            let mayMatch = prefilters[index].pathPrefix.mayMatch(form.pathStart)
            let part = mayMatch ? compiledRules[index].mismatch(in: form, &budget) : .path
            if budget.isExhausted { break }
            mismatches.append((index, part))
            if part == nil { break }
        }
        return mismatches
    }
}
