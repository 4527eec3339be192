internal import JSONScanning
internal import UniversalLinks
internal import WaypostSchema

/// A question about an association file, without the URL.
struct LinkQuestion {
    let matcher: AssociationMatcher

    /// The app that the question is about, or `nil` for all apps in the file.
    let app: ApplicationIdentifier?

    /// The domain of the file, as the host of a URL, or `nil` for any domain.
    let domain: String?

    /// Creates a question.
    ///
    /// - Throws: `CommandFailure` if the domain is not valid.
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

/// A domain in an option of a command.
enum DomainArgument {
    /// Parses a domain.
    ///
    /// - Parameters:
    ///   - text: the value of the option.
    ///   - option: the name of the option.
    /// - Returns: the domain in lower case, with letters beyond ASCII in Punycode.
    /// - Throws: `CommandFailure` if the text is not a domain.
    static func domain(_ text: String, of option: String) throws(CommandFailure) -> String {
        // The entry for a single domain must contain only its name.
        guard let entry = try? AssociatedDomain("\(AssociatedDomain.appLinks):\(text)"),
            !entry.isWildcard, entry.modes.isEmpty
        else { throw .unusable("\(option) '\(text)' is not a domain, such as www.example.com") }
        return entry.domain
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

    private let question: LinkQuestion
    private var encoded: [Key: String] = [:]

    init(_ question: LinkQuestion) {
        self.question = question
    }

    /// Appends the answer lines for a URL.
    mutating func append(answersTo text: String, to lines: inout String) throws {
        let matcher = question.matcher
        // An error about a URL is specific to the URL.
        guard let url = try? LinkURL(text), url.host == question.domain ?? url.host,
            !matcher.apps.isEmpty || question.app != nil
        else {
            for decision in question.decisions(on: text, tracing: false) {
                lines += try JSONOutput.line(decision) + "\n"
            }
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
            let line = try JSONOutput.line(question.matcher.decision(match, on: "", for: app))
            encoded[key] = String(line.dropLast(#""""#.count + 1))
        }
        lines += encoded[key] ?? ""
        lines += text.quotedJSON
        lines += "}\n"
    }
}
