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

    /// Returns the query of a URL with its question mark; it is empty if there are no parameters.
    package static func query(_ parameters: [(name: String, value: String)]) -> String {
        let fields = parameters.map { "\($0.name)=\(escaped($0.value))" }
        return fields.isEmpty ? "" : "?" + fields.joined(separator: "&")
    }
}
