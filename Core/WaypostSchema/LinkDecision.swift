/// Whether an app may be offered a URL as a universal link, and why.
public struct LinkDecision: Codable, Sendable, Equatable {
    /// What the rules of the domain's file say of the URL.
    public enum Outcome: String, StringChoice {
        /// The first rule that the URL matches offers it to the app.
        case match

        /// The first rule that the URL matches keeps it from the app.
        case exclude

        /// No rule says anything of the URL, or none was asked.
        case noMatch = "no_match"
    }

    /// What decided; `docs/universal-links.md` has them one by one.
    public enum Reason: String, StringChoice {
        /// A rule of the file offers the URL to the app.
        case matched

        /// A rule of the file keeps the URL from the app.
        case excluded

        /// No rule for the app matches the URL.
        case noRuleMatched

        /// The file has no entry for the app.
        case appNotInFile

        /// The file says nothing about links.
        case noAppLinks

        /// The text is no URL.
        case notAURL

        /// The URL's scheme is neither http nor https.
        case notWeb

        /// The URL is longer than is read.
        case urlTooLong

        /// The file's rules take more work on this URL than they are given.
        case tooMuchWork

        /// The URL is of another domain than the file.
        case otherDomain

        /// The app's associated domains have no entry for the URL's host.
        case noEntry

        /// The app's entry for the host is for another service than links.
        case otherService

        /// The app's entry covers subdomains of the host, not the host itself.
        case wildcardBase

        /// The app's entry for the host is written so that it cannot be used.
        case unusableEntry

        /// The app's entry for the host is for a mode that the device or the app is not in.
        case modeNotActive

        /// The domain was not asked for its file yet.
        case fileNotFetched

        /// The domain's file could not be had.
        case fileUnavailable
    }

    /// The URL, as it was given.
    public var url: String

    /// Whether the app may be offered the URL.
    public var matched: Bool

    /// The app; absent where the file names none.
    public var app: ApplicationIdentifier?

    /// What the rules say.
    public var outcome: Outcome

    /// What decided.
    public var reason: Reason

    /// The rule that decided, with all of it that counts; absent where none did.
    public var rule: String?

    /// Where the rule stands in the file.
    public var place: String?

    /// The line of the file that the rule starts on, from 1.
    public var line: Int?

    /// The app's associated-domains entry that the decision is about; absent for none, and where only a file was asked.
    public var entry: String?

    /// The domain's file; absent where only a file was asked.
    public var file: AssociationFileStatus?

    /// The decision for a person, in a sentence.
    public var explanation: String

    /// How each rule for the app was answered, in order, up to the one that decided; there where it was asked for.
    public var trace: [LinkRuleTrace]?

    /// Creates the value from its parts.
    public init(
        url: String,
        matched: Bool,
        app: ApplicationIdentifier? = nil,
        outcome: Outcome,
        reason: Reason,
        rule: String? = nil,
        place: String? = nil,
        line: Int? = nil,
        entry: String? = nil,
        file: AssociationFileStatus? = nil,
        explanation: String,
        trace: [LinkRuleTrace]? = nil
    ) {
        self.url = url
        self.matched = matched
        self.app = app
        self.outcome = outcome
        self.reason = reason
        self.rule = rule
        self.place = place
        self.line = line
        self.entry = entry
        self.file = file
        self.explanation = explanation
        self.trace = trace
    }
}

/// How one rule of an association file was answered.
public struct LinkRuleTrace: Codable, Sendable, Equatable {
    /// The rule.
    public var rule: String

    /// Where it stands in the file.
    public var place: String

    /// The line of the file that it starts on, from 1.
    public var line: Int

    /// Whether the URL matches it.
    public var matched: Bool

    /// Why, for a person.
    public var explanation: String

    /// Creates the value from its parts.
    public init(rule: String, place: String, line: Int, matched: Bool, explanation: String) {
        self.rule = rule
        self.place = place
        self.line = line
        self.matched = matched
        self.explanation = explanation
    }
}
