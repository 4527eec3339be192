/// The reason why a URL has no highlight (`SWHighlightCenterErrorCode`), with details that the platform does not
/// reveal.
public struct HighlightError: Error, Codable, Sendable, Equatable {
    /// The platform's codes.
    public enum Code: String, StringEnum {
        /// Something other than the app or the URL prevents it; a later attempt may succeed.
        case internalError

        /// Not a web URL.
        case invalidURL

        /// The app has no access to a highlight for the URL.
        case accessDenied
    }

    /// The detailed reasons.
    public enum Reason: String, StringEnum {
        /// The text is not an http or https URL.
        case notAWebURL

        /// Not all association files of the app's domains were requested yet.
        case notLoaded

        /// The app is not on the device.
        case notInstalled

        /// The app lacks the Shared with You capability.
        case noCapability

        /// The app and the URL's domain are not associated with each other.
        case notAssociated

        /// The user turned sharing off, everywhere or for the app.
        case sharingIsOff

        /// There is no highlight for the URL; the error does not reveal whether the link was ever sent.
        case noHighlight
    }

    /// The platform's code.
    public var code: Code

    /// The detailed reason.
    public var reason: Reason

    /// A human-readable description.
    public var message: String

    /// Creates the value from its parts.
    public init(code: Code, reason: Reason, message: String) {
        self.code = code
        self.reason = reason
        self.message = message
    }
}
