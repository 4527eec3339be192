internal import JSONScanning
internal import UniversalLinks
internal import WaypostSchema

/// A query of an association file: everything except the URL.
struct LinkQuery {
    let matcher: AssociationMatcher

    /// The app that the query is about, or `nil` for all apps in the file.
    let app: ApplicationIdentifier?

    /// The domain of the file, as the host of a URL, or `nil` for any domain.
    let domain: String?

    /// Creates a query.
    ///
    /// - Throws: `CommandFailure` if the domain is not valid.
    init(matcher: AssociationMatcher, app: String?, domain: String?) throws(CommandFailure) {
        self.matcher = matcher
        self.app = app.map(ApplicationIdentifier.init)
        self.domain = try domain.map { domain throws(CommandFailure) in
            try DomainArgument.parse(domain, option: "--domain")
        }
    }

    /// Returns the answers for a URL: one, or one for each app.
    func decisions(on url: String, tracing: Bool) -> [LinkDecision] {
        guard let app else { return matcher.decisions(on: url, domain: domain, tracing: tracing) }
        return [matcher.decision(on: url, for: app, domain: domain, tracing: tracing)]
    }
}

/// A domain in an option of a command.
enum DomainArgument {
    /// Parses a domain.
    ///
    /// - Parameters:
    ///   - value: the value of the option.
    ///   - option: the name of the option.
    /// - Returns: the domain in lower case, with letters beyond ASCII in Punycode.
    /// - Throws: `CommandFailure` if the value is not a domain.
    static func parse(_ value: String, option: String) throws(CommandFailure) -> String {
        // Unlike an entry of an app, it may be an address or this machine.
        let domain = AssociatedDomain.canonicalName(of: value)
        guard AssociatedDomain.isDomainName(domain) else {
            throw .unusable("\(option) '\(value)' is not a domain, such as www.example.com")
        }
        return domain
    }
}

/// The answers of `waypost links match` as lines of JSON, for millions of URLs.
///
/// Apart from the URL, the same rule always gives the same answer, so each answer is encoded only once.
struct LinkAnswerLines {
    private struct Key: Hashable {
        var app: ApplicationIdentifier
        var match: LinkMatch
    }

    private let query: LinkQuery
    private var encodedDecisions: [Key: String] = [:]

    init(_ query: LinkQuery) {
        self.query = query
    }

    /// Appends the answer lines for a URL.
    mutating func append(answersTo url: String, to lines: inout String) throws {
        let matcher = query.matcher
        // An error message contains the URL, so it is not cached.
        guard let linkURL = try? LinkURL(url), linkURL.host == query.domain ?? linkURL.host,
            !matcher.apps.isEmpty || query.app != nil
        else {
            for decision in query.decisions(on: url, tracing: false) {
                lines += try JSONOutput.line(decision) + "\n"
            }
            return
        }
        if let app = query.app {
            try append(matcher.match(linkURL, for: app), url: url, for: app, to: &lines)
        } else {
            for (app, match) in zip(matcher.apps, matcher.matchAllApps(linkURL)) {
                try append(match, url: url, for: app, to: &lines)
            }
        }
    }

    private mutating func append(
        _ match: LinkMatch,
        url: String,
        for app: ApplicationIdentifier,
        to lines: inout String
    ) throws {
        let key = Key(app: app, match: match)
        if encodedDecisions[key] == nil {
            // Keys are sorted, and "url" is the last.
            let line = try JSONOutput.line(query.matcher.decision(match, on: "", for: app))
            encodedDecisions[key] = String(line.dropLast(#""""#.count + 1))
        }
        lines += encodedDecisions[key] ?? ""
        lines += url.quotedJSON
        lines += "}\n"
    }
}
