internal import TextBasics
public import WaypostSchema

extension AssociationMatcher {
    /// Decides whether this file allows offering a URL to an app.
    ///
    ///     let json = #"{"applinks":{"details":[{"appIDs":["ABCDE12345.a"],"components":[{"/":"/clowns/*"}]}]}}"#
    ///     let matcher = AssociationMatcher(try AssociationFile(json: json))
    ///     let decision = matcher.decision(on: "https://clowntown.example/clowns/crusty", for: "ABCDE12345.a")
    ///
    /// - Parameters:
    ///   - urlString: the URL.
    ///   - app: the app.
    ///   - domain: the domain of the file, or `nil` to accept any domain.
    ///   - tracing: whether to add the result of each rule, and the closest rule if none matches.
    /// - Returns: the decision and its reason, with an explanation.
    public func decision(
        on urlString: String,
        for app: ApplicationIdentifier,
        domain: String? = nil,
        tracing: Bool = false
    ) -> LinkDecision {
        do throws(LinkURLError) {
            let url = try LinkURL(urlString)
            if let domain, LinkHost(domain) != LinkHost(url.host) {
                return LinkDecision(
                    urlString,
                    app,
                    reason: .otherDomain,
                    explanation: "the URL is of \(url.host), but the file is of \(domain)"
                )
            }
            let match = match(url, for: app)
            let decision = decision(match, on: urlString, for: app)
            guard tracing else { return decision }
            var traces = RuleTraces(self, url)
            return traces.adding(to: decision, for: app)
        } catch {
            return LinkDecision(urlString, app, error: error)
        }
    }

    /// Returns the decisions for all apps of the file, or one without an app if the file names none.
    public func decisions(on urlString: String, domain: String? = nil, tracing: Bool = false) -> [LinkDecision] {
        var stepCount = 0
        return decisions(on: urlString, domain: domain, tracing: tracing, counting: &stepCount)
    }

    /// Returns the decisions for all apps of the file, and adds the steps of the work to `stepCount`.
    func decisions(
        on urlString: String,
        domain: String? = nil,
        tracing: Bool,
        counting stepCount: inout Int
    ) -> [LinkDecision] {
        guard !apps.isEmpty else {
            let reason: LinkDecision.Reason = file.hasAppLinks ? .appNotInFile : .noAppLinks
            return [
                LinkDecision(
                    urlString,
                    nil,
                    reason: reason,
                    explanation: file.hasAppLinks ? "the file names no app" : Self.noAppLinks
                )
            ]
        }
        guard let url = try? LinkURL(urlString), domain.map({ LinkHost($0) == LinkHost(url.host) }) ?? true else {
            // The URL is parsed again for each app.
            stepCount += apps.count * urlString.utf8.count
            return apps.map { decision(on: urlString, for: $0, domain: domain) }
        }
        var traces = RuleTraces(self, url)
        defer { stepCount += traces.stepCount }
        return zip(apps, matchAllApps(url, counting: &stepCount)).map { app, match in
            let decision = decision(match, on: urlString, for: app)
            return tracing ? traces.adding(to: decision, for: app) : decision
        }
    }

    private static let noAppLinks = "the file has no \"applinks\", so it says nothing about links"

    /// Returns the decision for a match, with an explanation.
    ///
    /// Except for the URL in it, the decision is the same for all equal matches.
    public func decision(_ match: LinkMatch, on urlString: String, for app: ApplicationIdentifier) -> LinkDecision {
        var decision = LinkDecision(urlString, app, reason: match.reason, explanation: explanation(of: match, for: app))
        decision.matched = match.outcome == .match
        decision.outcome = match.outcome
        if let index = match.ruleIndex {
            decision.rule = rules[index].value.description
            decision.place = rules[index].path
            decision.line = rules[index].line
        }
        return decision
    }

    private func explanation(of match: LinkMatch, for app: ApplicationIdentifier) -> String {
        let place = match.ruleIndex.map { rules[$0].path } ?? ""
        switch match.reason {
        case .matched: return "\(place) is the first rule for \(app) that the URL matches"
        case .excluded: return "\(place) is the first rule for \(app) that the URL matches, and it excludes the URL"
        case .noAppLinks: return Self.noAppLinks
        case .appNotInFile: return NearestIdentifier.explanation(ofMissing: app, nearest: nearestIdentifier(to: app))
        case .tooMuchWork: return "matching this URL against the rules takes more work than is allowed"
        default:
            switch ruleIndices(for: app)?.count ?? 0 {
            case 0: return "the file has an entry for \(app), but no usable rule in it"
            case 1: return "the only rule for \(app) does not match"
            case let count: return "none of the \(count) rules for \(app) matches"
            }
        }
    }

    /// Returns the identifier in the file that is nearest to that of an app; `nil` if the file names the app, or if no
    /// identifier is similar.
    private func nearestIdentifier(to app: ApplicationIdentifier) -> NearestIdentifier? {
        apps.contains(app) ? nil : NearestIdentifier.nearest(to: app, among: apps)
    }
}

extension LinkDecision {
    /// Creates a decision that was made without evaluating rules; invisible characters of its explanation are escaped.
    init(_ url: String, _ app: ApplicationIdentifier?, reason: Reason, explanation: String) {
        self.init(
            url: url,
            matched: false,
            app: app,
            outcome: .noMatch,
            reason: reason,
            explanation: explanation.safe(for: .log)
        )
    }

    init(_ urlString: String, _ app: ApplicationIdentifier?, error: LinkURLError) {
        switch error {
        case .notAURL(let problem):
            self.init(urlString, app, reason: .notAURL, explanation: "this is not a URL: \(problem)")
        case .notWeb(let scheme):
            self.init(
                urlString,
                app,
                reason: .notWeb,
                explanation: "the scheme \(scheme.safe(for: .excerpt)) is neither https nor http"
            )
        case .tooLong(let bytes):
            let limit = LinkURL.maximumLength
            self.init(
                urlString,
                app,
                reason: .urlTooLong,
                explanation: "the URL has \(bytes) bytes; at most \(limit) are read"
            )
        }
    }
}
