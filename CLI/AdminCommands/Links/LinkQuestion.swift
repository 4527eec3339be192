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

/// A domain that a command is given.
enum DomainArgument {
    /// Reads a domain.
    ///
    /// - Parameters:
    ///   - text: what was given.
    ///   - option: the option that it was given for.
    /// - Returns: the domain in lower case, letters beyond ASCII as Punycode.
    /// - Throws: `CommandFailure` where it is no domain.
    static func domain(_ text: String, of option: String) throws(CommandFailure) -> String {
        // An entry that is about one domain has nothing but its name.
        guard let entry = try? AssociatedDomain("\(AssociatedDomain.appLinks):\(text)"),
            !entry.isWildcard, entry.modes.isEmpty
        else { throw .unusable("\(option) '\(text)' is no domain, such as www.example.com") }
        return entry.domain
    }
}
