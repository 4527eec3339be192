internal import NIOCore

/// The hosts that are this machine.
package enum LoopbackHost {
    /// Returns whether a host of a URL, without brackets, is this machine: `localhost`, 127.0.0.0/8 or ::1.
    package static func contains(_ host: String) -> Bool {
        guard host != "localhost" else { return true }
        // A name may begin with digits too, such as 127.example.com.
        guard let address = try? SocketAddress(ipAddress: host, port: 0), let text = address.ipAddress else {
            return false
        }
        return text == "::1" || (address.protocol == .inet && text.hasPrefix("127."))
    }
}
