/// The decision whether a URL opens an app as a universal link, and its reason.
public struct LinkDecision: Codable, Sendable, Equatable {
    /// The outcome of the rules in the domain's file.
    public enum Outcome: String, StringEnum {
        /// The first rule that the URL matches gives it to the app.
        case match

        /// The first rule that the URL matches excludes it.
        case exclude

        /// No rule matches the URL, or no rule was evaluated.
        case noMatch = "no_match"
    }

    /// The reasons for a decision; `docs/universal-links.md` describes each.
    public enum Reason: String, StringEnum {
        /// A rule of the file gives the URL to the app.
        case matched

        /// A rule of the file excludes the URL.
        case excluded

        /// No rule for the app matches the URL.
        case noRuleMatched

        /// The file has no entry for the app.
        case appNotInFile

        /// The file contains nothing about links.
        case noAppLinks

        /// The text is not a URL.
        case notAURL

        /// The URL's scheme is neither http nor https.
        case notWeb

        /// The URL is longer than the limit.
        case urlTooLong

        /// Matching the URL against the file's rules takes more work than the limit allows.
        case tooMuchWork

        /// The URL and the file have different domains.
        case otherDomain

        /// The app's associated domains have no entry for the URL's host.
        case noEntry

        /// The app's entry for the host is for a service other than links.
        case otherService

        /// The app's entry covers the subdomains of the host, but not the host itself.
        case wildcardBase

        /// The app's entry for the host is malformed.
        case unusableEntry

        /// The app's entry for the host is for a mode that does not apply to the device or the app.
        case modeNotActive

        /// The domain's file was not requested yet.
        case fileNotFetched

        /// The domain's file could not be fetched.
        case fileUnavailable
    }

    /// The URL, as given.
    public var url: String

    /// Whether the URL may open the app.
    public var matched: Bool

    /// The app; absent if the file does not name one.
    public var app: ApplicationIdentifier?

    /// The outcome of the rules.
    public var outcome: Outcome

    /// The reason for the decision.
    public var reason: Reason

    /// The rule that decided, with all settings that apply to it; absent if no rule decided.
    public var rule: String?

    /// The place of the rule in the file.
    public var place: String?

    /// The line at which the rule starts, from 1.
    public var line: Int?

    /// The app's associated-domains entry for the decision; absent if there is none, or if only a file was checked.
    public var entry: String?

    /// The state of the domain's file; absent if only a file was checked.
    public var file: AssociationFileStatus?

    /// A human-readable sentence that explains the decision.
    public var explanation: String

    /// The result of each rule for the app, in order, up to the rule that decided; present on request.
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
