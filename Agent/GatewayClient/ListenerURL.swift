internal import Foundation

/// The base URL of a listener, as a person gives it.
package enum ListenerURL {
    /// Says what is wrong with `text` as the base URL of a listener; `nil` where nothing is.
    package static func fault(in text: String) -> String? {
        let components = URLComponents(string: text)
        // The last is an agent's Unix domain socket, as its ready file has it.
        let isHTTP = ["http", "https", "http+unix"].contains(components?.scheme)
        let hasHost = components?.host?.isEmpty == false
        guard isHTTP, hasHost else { return "'\(text)' is no URL such as http://127.0.0.1:7330" }
        return nil
    }
}
