internal import JSONScanning
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

/// The answers of `waypost links match` as lines of JSON, for millions of URLs.
///
/// But for the URL, the same rule gives the same answer every time: it is encoded once.
struct LinkAnswerLines {
    private struct Key: Hashable {
        var app: ApplicationIdentifier
        var match: LinkMatch
    }

    private let question: LinkQuestion
    private var encoded: [Key: String] = [:]

    init(_ question: LinkQuestion) {
        self.question = question
    }

    /// Appends the lines that answer for a URL.
    mutating func append(answersTo text: String, to lines: inout String) throws {
        let matcher = question.matcher
        // What is said of a URL that cannot be asked about is said of it alone.
        guard let url = try? LinkURL(text), url.host == question.domain ?? url.host,
            !matcher.apps.isEmpty || question.app != nil
        else {
            for decision in question.decisions(on: text, tracing: false) { lines += try JSONText.line(decision) + "\n" }
            return
        }
        if let app = question.app {
            try append(matcher.match(url, for: app), text, for: app, to: &lines)
        } else {
            for (app, match) in zip(matcher.apps, matcher.matches(url)) {
                try append(match, text, for: app, to: &lines)
            }
        }
    }

    private mutating func append(
        _ match: LinkMatch,
        _ text: String,
        for app: ApplicationIdentifier,
        to lines: inout String
    ) throws {
        let key = Key(app: app, match: match)
        if encoded[key] == nil {
            // Keys are sorted, and "url" is the last.
            let line = try JSONText.line(question.matcher.decision(match, on: "", for: app))
            encoded[key] = String(line.dropLast(#""""#.count + 1))
        }
        lines += encoded[key] ?? ""
        lines += text.quotedJSON
        lines += "}\n"
    }
}
