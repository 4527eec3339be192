internal import Foundation
package import WaypostSchema

/// The base URL of a listener, as the user gives it.
package enum ListenerURL {
    /// Returns the problem of `string` as the base URL of a listener, or `nil` if there is none.
    ///
    /// - Parameters:
    ///   - string: the URL.
    ///   - example: a URL that would be accepted.
    /// - Returns: the problem.
    package static func error(in string: String, example: String = "http://127.0.0.1:7330") -> String? {
        let components = URLComponents(string: string)
        // The scheme `http+unix` is for an agent's Unix domain socket, as in its ready file.
        let isHTTP = ["http", "https", "http+unix"].contains(components?.scheme)
        let hasHost = components?.host?.isEmpty == false
        guard isHTTP, hasHost else { return "'\(string)' is not a URL such as \(example)" }
        return nil
    }
}

extension Namespace {
    /// Returns the problem of `string` as the name of a namespace, or `nil` if there is none.
    package static func error(in string: String) -> String? {
        guard !Namespace(rawValue: string).isWellFormed else { return nil }
        return "'\(string)' is not a namespace; use 1 to 64 of A-Z, a-z, 0-9, '.', '-' and '_', the first not '.'"
    }
}
