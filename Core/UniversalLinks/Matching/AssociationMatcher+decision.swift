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
        decision.trace = mismatches.map { trace(of: $0.rule, $0.part, url) }
        if match.reason == .noRuleMatched, let nearest = nearest(mismatches) {
            decision.explanation += "; the nearest is \(rules[nearest.rule].path): "
            decision.explanation += explanation(of: nearest.rule, nearest.part, url)
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

    /// The rule that offers something and of which most parts match; of several the first.
    private func nearest(
        _ mismatches: [(rule: Int, part: CompiledLinkRule.Part?)]
    ) -> (rule: Int, part: CompiledLinkRule.Part?)? {
        mismatches.filter { !wholeRule($0.rule).isExclusion }.max { left, right in
            wholeRule(left.rule).partCount(before: left.part) < wholeRule(right.rule).partCount(before: right.part)
        }
    }
}

// MARK: - Rule by rule

extension AssociationMatcher {
    private func trace(of index: Int, _ part: CompiledLinkRule.Part?, _ url: LinkURL) -> LinkRuleTrace {
        LinkRuleTrace(
            rule: rules[index].value.description,
            place: rules[index].path,
            line: rules[index].line,
            matched: part == nil,
            explanation: explanation(of: index, part, url)
        )
    }

    private func explanation(of index: Int, _ part: CompiledLinkRule.Part?, _ url: LinkURL) -> String {
        let rule = wholeRule(index)
        let shown = ShownURL(url, for: rule.comparison)
        switch part {
        case nil: return rule.isExclusion ? "it matches, and excludes" : "it matches"
        case .path?:
            return difference("the path", shown.path.isEmpty ? "/" : shown.path, rule.path ?? "", rule)
        case .query?:
            guard case .whole(let pattern)? = rule.query else { return "the query does not match" }
            return difference("the query", shown.query, pattern, rule)
        case .item(let name)?:
            guard case .items(let items)? = rule.query, let item = items.first(where: { $0.name == name }) else {
                return "the query does not match"
            }
            let values = shown.values(of: name).joined(separator: "', '")
            return difference("the query item \(name.excerpt)", values, item.pattern, rule)
        case .fragment?:
            return difference("the fragment", shown.fragment, rule.fragment ?? "", rule)
        }
    }

    private func difference(_ what: String, _ text: String, _ pattern: String, _ rule: LinkRule) -> String {
        for part in PatternPart.parts(of: pattern.utf8) {
            switch part {
            case .unterminated: return "'\(pattern.excerpt)' has a $( without its )"
            case .variable(let name) where !knows(variable: name):
                return "'\(pattern.excerpt)' has the variable $(\(name.excerpt)), which is defined nowhere"
            default: continue
            }
        }
        guard !text.isEmpty else { return "\(what) is empty and does not match '\(pattern.excerpt)'" }
        let how = rule.percentEncoded == false ? ", its escapes undone," : ""
        let butForCase = rule.caseSensitive == false ? "" : caseHint(text, pattern)
        return "\(what) '\(text.excerpt)'\(how) does not match '\(pattern.excerpt)'\(butForCase)"
    }

    private func caseHint(_ text: String, _ pattern: String) -> String {
        let differsInCase = pattern != text && pattern.lowercased() == text.lowercased()
        return differsInCase ? ", as the case of letters differs" : ""
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
