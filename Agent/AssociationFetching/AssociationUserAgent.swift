/// The client that a request for an association file names in its header `user-agent`.
package enum AssociationUserAgent: String, Sendable {
    /// A device that asks the server of the domain itself.
    case device = "waypost"

    /// Apple's fetcher, which copies the files of domains to the CDN.
    ///
    /// The name is known from the logs of servers.
    case appleFetcher = "AASA-Bot/1.0.0"
}
