/// An association file that a device needs: the one that a domain publishes, or the one that replaces it in development.
public struct AssociationRequest: Hashable, Sendable, Codable {
    /// The domain in lower case, with letters beyond ASCII as Punycode.
    public let domain: String

    /// Whether a file or a server may replace the domain's during the development of an app.
    public let isDevelopment: Bool

    /// Creates the value from its parts.
    ///
    /// - Parameters:
    ///   - domain: the domain, in any case and with any letters.
    ///   - isDevelopment: whether a file or a server may replace the domain's.
    public init(domain: String, isDevelopment: Bool) {
        self.domain = AssociatedDomain.canonicalName(of: domain)
        self.isDevelopment = isDevelopment
    }
}

extension AssociationRequest: Comparable {
    /// Compares the domains; the published file comes first.
    public static func < (first: Self, second: Self) -> Bool {
        (first.domain, first.isDevelopment ? 1 : 0) < (second.domain, second.isDevelopment ? 1 : 0)
    }
}
