internal import UniversalLinks
internal import WaypostSchema

/// What is asked of an association file, but for the URL.
struct LinkQuestion {
    let matcher: AssociationMatcher

    /// The app that is asked for; `nil` for all of the file's.
    let app: ApplicationIdentifier?

    /// The domain that the file is of, as the host of a URL; `nil` for any.
    let domain: String?

    /// Creates a question.
    ///
    /// - Throws: `CommandFailure` where the domain is none.
    init(matcher: AssociationMatcher, app: String?, domain: String?) throws(CommandFailure) {
        self.matcher = matcher
        self.app = app.map(ApplicationIdentifier.init)
        self.domain = try domain.map { domain throws(CommandFailure) in
            try DomainArgument.domain(domain, of: "--domain")
        }
    }

    /// Returns the answers for a URL: one, or one for each app.
    func decisions(on url: String, tracing: Bool) -> [LinkDecision] {
        guard let app else { return matcher.decisions(on: url, domain: domain, tracing: tracing) }
        return [matcher.decision(on: url, for: app, domain: domain, tracing: tracing)]
    }
}
