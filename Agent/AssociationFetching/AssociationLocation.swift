/// Where a domain's apple-app-site-association file is fetched from.
package enum AssociationLocation: Sendable, Equatable {
    /// The domain itself: `https://<domain>/.well-known/apple-app-site-association`.
    case domain(String)

    /// A server that stands in for the domain while apps are developed: its base URL, which may be `http` on loopback.
    case developmentServer(String)

    /// A local file that stands in for the domain's while apps are developed.
    case localFile(path: String)
}
