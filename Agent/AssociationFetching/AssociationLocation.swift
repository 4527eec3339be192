internal import Foundation

/// Where a domain's apple-app-site-association file is fetched from.
package enum AssociationLocation: Sendable, Equatable {
    /// The domain itself: `https://<domain>/.well-known/apple-app-site-association`.
    case domain(String)

    /// A server that stands in for the domain while apps are developed: its base URL, which may be `http` on loopback.
    ///
    /// `DevelopmentServerURL` says whether a text is such a URL.
    case developmentServer(String)

    /// A local file that stands in for the domain's while apps are developed.
    case localFile(path: String)

    /// Where the file is on a server.
    static let path = "/.well-known/apple-app-site-association"

    /// Reads what a device file says stands in for a domain: the base URL of a server, or the path of a file.
    ///
    /// - Parameters:
    ///   - text: the URL or the path.
    ///   - file: the device file, which relative paths start at.
    /// - Throws: `DevelopmentServerError` where it is a URL that cannot be used.
    package init(standIn text: String, besides file: String) throws(DevelopmentServerError) {
        if text.contains("://") {
            self = .developmentServer(try DevelopmentServerURL(text).text)
        } else {
            let folder = URL(filePath: file).deletingLastPathComponent()
            self = .localFile(path: URL(filePath: text, relativeTo: folder).standardizedFileURL.path)
        }
    }

    /// The URL or the path of the file, for people.
    package var source: String {
        switch self {
        case .domain(let domain): "https://\(domain)\(Self.path)"
        case .developmentServer(let base): (base.hasSuffix("/") ? String(base.dropLast()) : base) + Self.path
        case .localFile(let path): path
        }
    }
}
