/// Something about an apple-app-site-association file that its author should know.
public struct AssociationFinding: Error, Codable, Sendable, Equatable {
    /// How bad it is.
    public enum Severity: String, StringChoice {
        /// Something that cannot work as it is written.
        case error

        /// Something that works, but hardly as it was meant.
        case warning

        /// Something worth knowing.
        case note
    }

    /// What was found; `docs/universal-links.md` has them one by one.
    public enum Code: String, StringChoice {
        // The file as a whole.
        case tooLarge, signed, byteOrderMark, notJSON, wrongType, duplicateKey, unknownKey
        case noAppLinks, missingApps, appsNotEmpty, noDetails, dictionaryDetails, nearlyTooLarge
        case contentType

        // Entries and their apps.
        case noAppID, badAppID, placeholderTeamID, appIDIgnored, pathsIgnored, appIDsWithPaths, repeatedApp, noRules
        case manyRules

        // Rules and their patterns.
        case noLeadingSlash, urlInPath, queryInPath, fragmentInPath, misspelledNot, doubleStar
        case nonStringQueryItem, optionalItem
        case unencodedCharacter, lowercaseEscape, escapeInDecodedPattern
        case unreachable, uselessExclude, trailingSlashTwin

        // Substitution variables.
        case undefinedVariable, unterminatedVariable, badVariableName, nestedVariable, emptyVariable
        case unusedVariable, shadowedVariable
    }

    /// How bad it is.
    public var severity: Severity

    /// What was found.
    public var code: Code

    /// Where in the file, as a path through its keys; empty for the file as a whole.
    public var place: String

    /// The line, from 1.
    public var line: Int

    /// The byte of the line, from 1.
    public var column: Int

    /// What is the matter, for a person.
    public var message: String

    /// What to write instead; absent where nothing better is known.
    public var instead: String?

    /// Creates the value from its parts.
    public init(
        severity: Severity,
        code: Code,
        place: String,
        line: Int,
        column: Int,
        message: String,
        instead: String? = nil
    ) {
        self.severity = severity
        self.code = code
        self.place = place
        self.line = line
        self.column = column
        self.message = message
        self.instead = instead
    }
}
