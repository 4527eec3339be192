import GatewayClient
import LocalService
import WaypostSchema

@testable import Gateway

extension FuzzTarget {
    /// A path, or a component of one.
    static let paths = FuzzTarget(
        name: "paths",
        summary: "paths of the APIs; a component that a client escapes is read as it was, also one of a channel"
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        promise(decoded(PercentEncoding.escaped(text)) == text, "an escaped component is read", found: text)
        if let component = decoded(text) {
            let again = decoded(PercentEncoding.escaped(component))
            promise(again == component, "a component has one meaning", found: (text, component))
        }
        checkChannel(text)
    }

    /// Returns a component without its encoding; `nil` if it is refused.
    private static func decoded(_ encoded: String) -> String? {
        do throws(RequestError) {
            return try PathComponent.decode(encoded, "id")
        } catch {
            promise(encoded.contains("%"), "only an escape can be invalid", found: encoded)
            return nil
        }
    }

    /// Checks that the path of a channel leads to it.
    private static func checkChannel(_ path: String) {
        guard let route = ChannelRoute(path: path) else { return }
        promise(!route.methods.isEmpty, "a resource has methods", found: route)
        guard case .channel(let id?) = route.resource else { return }
        let query = route.hasQuery ? "?" : ""
        let again = "/1/apps/\(route.app.rawValue)/channels/\(PercentEncoding.escaped(id.rawValue))\(query)"
        promise(ChannelRoute(path: again) == route, "a channel has a path", found: (path, again))
    }
}
