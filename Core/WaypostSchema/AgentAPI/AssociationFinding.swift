/// A finding about an apple-app-site-association file, for its author.
public struct AssociationFinding: Error, Codable, Sendable, Equatable {
    /// The kinds of findings; `docs/universal-links.md` describes each.
    public enum Code: String, StringEnum {
        // The whole file.
        case tooLarge, signed, byteOrderMark, notJSON, wrongType, duplicateKey, unknownKey
        case noAppLinks, missingApps, appsNotEmpty, noDetails, dictionaryDetails, nearlyTooLarge
        case contentType, moreFindings

        // The servers that have the file.
        case webPage, originFailed, fetcherRefused, fetcherDiffers, cdnFailed, cdnDiffers

        // Entries and their apps.
        case noAppID, badAppID, appNotInFile, placeholderTeamID, appIDIgnored, pathsIgnored, appIDsWithPaths
        case repeatedApp, noRules
        case tooManyRules = "manyRules"

        // Rules and their patterns.
        case noLeadingSlash, urlInPath, queryInPath, fragmentInPath, misspelledNot, doubleStar
        case nonStringQueryItem, optionalItem
        case unencodedCharacter, lowercaseEscape, escapeInDecodedPattern
        case unreachable, uselessExclude
        case trailingSlashVariant = "trailingSlashTwin"

        // Substitution variables.
        case undefinedVariable, unterminatedVariable, badVariableName, nestedVariable, emptyVariable
        case unusedVariable, shadowedVariable
    }

    /// The severity.
    public var severity: FindingSeverity

    /// The kind of finding.
    public var code: Code

    /// The place in the file, as a path of keys; empty for the whole file.
    public var place: String

    /// The line, from 1.
    public var line: Int

    /// The column, in bytes from 1.
    public var column: Int

    /// A human-readable description of the problem.
    public var message: String

    /// The JSON to write in place of the value or the key at the finding's line and column; absent if none is clear.
    ///
    /// It does what the author probably meant, and removes the finding, but may reveal an error that the replaced text
    /// hid. For a finding about a server, it is what the server must send.
    public var instead: String?

    /// Creates the value from its parts.
    public init(
        severity: FindingSeverity,
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
