internal import Foundation

/// The location of a domain's apple-app-site-association file.
package enum AssociationLocation: Sendable, Equatable {
    /// The domain itself: `https://<domain>/.well-known/apple-app-site-association`.
    case domain(String)

    /// The domain itself, with any certificate: a domain with `?mode=developer`.
    case unverifiedDomain(String)

    /// A server that replaces the domain during development: its base URL, which may be `http` on loopback.
    ///
    /// `DevelopmentServerURL` checks the URL.
    case developmentServer(String)

    /// The copy of a domain's file on Apple's CDN, or on a stand-in for it: `<base>/a/v1/<domain>`.
    ///
    /// `DevelopmentServerURL` checks the base URL.
    case cdn(base: String, domain: String)

    /// A local file that replaces the domain's file during development.
    case localFile(path: String)

    /// The path of the file on a server.
    static let path = "/.well-known/apple-app-site-association"

    /// Parses the replacement for a domain in a device file: the base URL of a server, or the path of a file.
    ///
    /// - Parameters:
    ///   - string: the URL or the path.
    ///   - file: the device file, to which relative paths are relative.
    /// - Throws: `DevelopmentServerError` if the string is a URL that cannot be used.
    package init(replacement string: String, relativeTo file: String) throws(DevelopmentServerError) {
        if string.contains("://") {
            self = .developmentServer(try DevelopmentServerURL(string).string)
        } else {
            let folder = URL(filePath: file).deletingLastPathComponent()
            self = .localFile(path: URL(filePath: string, relativeTo: folder).standardizedFileURL.path)
        }
    }

    /// The URL or the path of the file, for messages.
    package var source: String {
        switch self {
        case .domain(let domain), .unverifiedDomain(let domain): "https://\(domain)\(Self.path)"
        case .developmentServer(let base): Self.url(base, path: Self.path)
        case .cdn(let base, let domain): Self.url(base, path: "/a/v1/\(domain)")
        case .localFile(let path): path
        }
    }

    /// Returns the URL of a path on a server; the base URL may have the path already.
    private static func url(_ base: String, path: String) -> String {
        let base = base.hasSuffix("/") ? String(base.dropLast()) : base
        return base.hasSuffix(path) ? base : base + path
    }
}
