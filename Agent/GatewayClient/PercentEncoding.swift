internal import Foundation

/// The encoding of strings in a URL's path or query.
package enum PercentEncoding {
    /// The characters that need no escape in a URL (RFC 3986, 2.3).
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )

    /// Returns a string with an escape for each character that has a meaning in a URL.
    package static func escaped(_ string: String) -> String {
        string.addingPercentEncoding(withAllowedCharacters: unreserved) ?? string
    }
}
