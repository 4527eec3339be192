import Foundation
import LocalService

extension FuzzTarget {
    /// The `Host` header of a request, or the address of a listener.
    static let hosts = FuzzTarget(
        name: "hosts",
        summary: "hosts of requests and addresses of listeners; only those are loopback that the system says are"
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        if let address = ListenAddress(text) {
            promise(ListenAddress(address.description) == address, "an address has one form", found: address)
            check(address.host, isLoopback: address.isLoopback)
            let isIPv4 = systemAddress(AF_INET, address.host, byteCount: 4) != nil
            promise(!isIPv4 || address.isNumeric, "an address of IPv4 is numeric", found: address)
        }
        guard (try? AllowedHosts().validate(host: text, origin: nil, site: nil)) != nil else { return }
        // A name has no colon, and an address of IPv6 has brackets.
        let name = text.first == "[" ? text.dropFirst().prefix { $0 != "]" } : text.prefix { $0 != ":" }
        check(name.lowercased(), isLoopback: true)
    }

    private static func check(_ host: String, isLoopback: Bool) {
        let loopback: [UInt8] = Array(repeating: 0, count: 15) + [1]
        let isIPv4Loopback = systemAddress(AF_INET, host, byteCount: 4)?.first == 127
        let isIPv6Loopback = systemAddress(AF_INET6, host, byteCount: 16) == loopback
        let isSystemLoopback = host == "localhost" || isIPv4Loopback || isIPv6Loopback
        promise(!isLoopback || isSystemLoopback, "a loopback address is one for the system", found: host)
    }

    /// Returns the bytes of an address; `nil` if the system does not accept it.
    private static func systemAddress(_ family: CInt, _ host: String, byteCount: Int) -> [UInt8]? {
        // A string of C would end at a NUL.
        guard !host.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: byteCount)
        return inet_pton(family, host, &bytes) == 1 ? bytes : nil
    }
}
