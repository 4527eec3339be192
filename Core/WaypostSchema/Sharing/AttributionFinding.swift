/// A finding about an app's preferences for an attribution view, with what would be accepted.
public struct AttributionFinding: Codable, Sendable, Equatable {
    /// The kinds of findings.
    public enum Code: String, StringEnum {
        /// The title for Remove lacks the word "Remove" in the user's language; it is used anyway.
        case hideTitleWithoutRemove

        /// The minimum text size is above the maximum; the maximum is used.
        case minimumAboveMaximum

        /// The height is too small for the text, so the view is clipped or not drawn.
        case heightTooSmall

        /// The width is too small for anything, so nothing is drawn.
        case widthTooSmall

        /// An item of the app has no title; it is omitted.
        case blankMenuItem

        /// An item of the app has the identifier of another item, or of one of the view's own; it is omitted.
        case repeatedMenuItem

        /// The view is in a window already, so another display context applies to the next window.
        case displayContextTooLate

        /// The request has a key that nothing reads.
        case unknownKey
    }

    /// The kind of finding.
    public var code: Code

    /// The preference that the finding is about.
    public var field: String

    /// A human-readable description, which says what would be accepted.
    public var message: String

    /// Creates the value from its parts.
    public init(code: Code, field: String, message: String) {
        self.code = code
        self.field = field
        self.message = message
    }
}
