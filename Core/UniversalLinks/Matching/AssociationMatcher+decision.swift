public import WaypostSchema

extension AssociationMatcher {
    /// Returns whether `app` may be offered what `text` is the URL of, as far as this file decides, in words.
    ///
    /// - Parameters:
    ///   - text: the URL.
    ///   - app: the app.
    ///   - domain: the domain that the file is of; any where it is `nil`.
    ///   - tracing: whether to say how each rule was answered, and what came nearest where none matches.
    public func decision(
        on text: String,
        for app: ApplicationIdentifier,
        domain: String? = nil,
        tracing: Bool = false
    ) -> LinkDecision {
        do throws(LinkURLFault) {
            let url = try LinkURL(text)
            if let domain, LinkHost(domain) != LinkHost(url.host) {
                return LinkDecision(text, app, .otherDomain, "the URL is of \(url.host), the file of \(domain)")
            }
            let match = match(url, for: app)
            return tracing ? tracedDecision(match, on: text, url, for: app) : decision(match, on: text, for: app)
        } catch {
            return LinkDecision(text, app, error)
        }
    }

    /// Returns the decisions for all apps of the file; one without an app where it has none.
    public func decisions(on text: String, domain: String? = nil, tracing: Bool = false) -> [LinkDecision] {
        guard !apps.isEmpty else {
            let reason: LinkDecision.Reason = file.hasAppLinks ? .appNotInFile : .noAppLinks
            return [
                LinkDecision(text, nil, reason, file.hasAppLinks ? "the file has rules for no app" : Self.noAppLinks)
            ]
        }
        guard let url = try? LinkURL(text), domain.map({ LinkHost($0) == LinkHost(url.host) }) ?? true else {
            return apps.map { decision(on: text, for: $0, domain: domain) }
        }
        return zip(apps, matches(url)).map { app, match in
            tracing ? tracedDecision(match, on: text, url, for: app) : decision(match, on: text, for: app)
        }
    }

    private static let noAppLinks = "the file has no \"applinks\", so it says nothing of links"

    /// Returns what a match comes to, in words.
    ///
    /// But for the URL that it names it is the same for every match that is equal.
    public func decision(_ match: LinkMatch, on text: String, for app: ApplicationIdentifier) -> LinkDecision {
        var decision = LinkDecision(text, app, match.reason, explanation(of: match, for: app))
        decision.matched = match.outcome == .match
        decision.outcome = match.outcome
        if let index = match.rule {
            decision.rule = rules[index].value.description
            decision.place = rules[index].path
            decision.line = rules[index].line
        }
        return decision
    }

    /// Returns what a match comes to, and how it came about.
    func tracedDecision(
        _ match: LinkMatch,
        on text: String,
        _ url: LinkURL,
        for app: ApplicationIdentifier
    ) -> LinkDecision {
        var decision = decision(match, on: text, for: app)
        let mismatches = mismatches(of: url, for: app)
        let words = MismatchWords(url)
        let trace = mismatches.map { rule, part in
            LinkRuleTrace(
                rule: rules[rule].value.description,
                place: rules[rule].path,
                line: rules[rule].line,
                matched: part == nil,
                explanation: words.explanation(of: part, rules[rule].value, wholeRule(rule), variables)
            )
        }
        decision.trace = trace
        if match.reason == .noRuleMatched, let nearest = nearest(mismatches) {
            decision.explanation += "; the nearest is \(trace[nearest].place): \(trace[nearest].explanation)"
        }
        return decision
    }

    private func explanation(of match: LinkMatch, for app: ApplicationIdentifier) -> String {
        let place = match.rule.map { rules[$0].path } ?? ""
        switch match.reason {
        case .matched: return "\(place) is the first rule for \(app) that the URL matches"
        case .excluded: return "\(place) is the first rule for \(app) that the URL matches, and it excludes"
        case .noAppLinks: return Self.noAppLinks
        case .appNotInFile: return explanationOfAbsence(of: app)
        case .tooMuchWork: return "the rules take more work on this URL than any honest ones would"
        default:
            let count = ruleCount(for: app)
            return count == 1
                ? "the one rule for \(app) does not match" : "none of the \(count) rules for \(app) matches"
        }
    }

    private func explanationOfAbsence(of app: ApplicationIdentifier) -> String {
        let bundle = app.rawValue.drop { $0 != "." }
        let others = apps.filter { $0.rawValue.drop { $0 != "." } == bundle }
        if let other = others.first, !bundle.isEmpty {
            return "the file has no entry for \(app), but one for \(other), whose prefix is another"
        }
        return "the file has no entry for \(app)"
    }

    /// The place in the trace of the rule that offers something and of which most parts match; of several the first.
    private func nearest(_ mismatches: [(rule: Int, part: CompiledLinkRule.Part?)]) -> Int? {
        mismatches.indices.filter { !wholeRule(mismatches[$0].rule).isExclusion }.max { left, right in
            partCount(mismatches[left]) < partCount(mismatches[right])
        }
    }

    private func partCount(_ mismatch: (rule: Int, part: CompiledLinkRule.Part?)) -> Int {
        wholeRule(mismatch.rule).partCount(before: mismatch.part)
    }
}

extension LinkRule {
    /// How many of the parts that the rule asks something of come before `part`.
    fileprivate func partCount(before part: CompiledLinkRule.Part?) -> Int {
        let (pathCount, queryCount) = (path == nil ? 0 : 1, query == nil ? 0 : 1)
        switch part {
        case nil, .path?: return 0
        case .query?, .item?: return pathCount
        case .fragment?: return pathCount + queryCount
        }
    }
}

extension LinkDecision {
    /// A decision that no rule was asked for.
    init(_ url: String, _ app: ApplicationIdentifier?, _ reason: Reason, _ explanation: String) {
        self.init(url: url, matched: false, app: app, outcome: .noMatch, reason: reason, explanation: explanation)
    }

    init(_ text: String, _ app: ApplicationIdentifier?, _ fault: LinkURLFault) {
        switch fault {
        case .notAURL(let why):
            self.init(text, app, .notAURL, "this is no URL: \(why)")
        case .notWeb(let scheme):
            self.init(text, app, .notWeb, "the scheme \(scheme.excerpt) is neither https nor http")
        case .tooLong(let bytes):
            let limit = LinkURL.maximumLength
            self.init(text, app, .urlTooLong, "the URL has \(bytes) bytes, more than the \(limit) that are read")
        }
    }
}
