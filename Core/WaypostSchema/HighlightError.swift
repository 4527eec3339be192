/// Why there is no highlight for a URL (`SWHighlightCenterErrorCode`), with the reason that the platform keeps to itself.
public struct HighlightError: Error, Codable, Sendable, Equatable {
    /// The platform's codes.
    public enum Code: String, StringChoice {
        /// Something else than the app or the URL stands in the way; it may be better later.
        case internalError

        /// The URL is none of the web.
        case invalidURL

        /// The app has no access to a highlight for the URL.
        case accessDenied
    }

    /// What stands in the way.
    public enum Reason: String, StringChoice {
        /// The text is no http or https URL.
        case notAWebURL

        /// The association files of the app's domains were not all asked for yet.
        case notLoaded

        /// The app is not on the device.
        case notInstalled

        /// The app is without the Shared with You capability.
        case noCapability

        /// The app may not be offered the URL: app and domain do not both say so.
        case notAssociated

        /// The person has turned sharing off, everywhere or for the app.
        case sharingIsOff

        /// There is no highlight for the URL; whether the link was ever sent is not told.
        case noHighlight
    }

    /// The platform's code.
    public var code: Code

    /// What stands in the way.
    public var reason: Reason

    /// The same for a person.
    public var message: String

    /// Creates the value from its parts.
    public init(code: Code, reason: Reason, message: String) {
        self.code = code
        self.reason = reason
        self.message = message
    }
}
