internal import ASCII
// IDNA (UTS 46) is Unicode's, and its tables are ICU's: beyond ASCII only full Foundation has them.
internal import Foundation

/// A host or domain name, compared as such: without regard to case, and letters beyond ASCII as Punycode.
struct LinkHost: Hashable {
    let name: String

    init(_ name: String) {
        self.name = InternationalHost.ascii(Array(name.utf8)[...]) ?? name
    }
}

/// Hosts with letters beyond ASCII.
enum InternationalHost {
    /// Returns the host in lower case, as Punycode where it has letters beyond ASCII; `nil` where there is no such host.
    static func ascii(_ host: ArraySlice<UInt8>) -> String? {
        guard host.contains(where: { $0 > 0x7F }) else {
            return String(decoding: host.map(\.lowercasedASCII), as: UTF8.self)
        }
        let text = String(decoding: host, as: UTF8.self)
        guard let encoded = URLComponents(string: "https://" + text)?.encodedHost, !encoded.isEmpty,
            encoded.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "%") })
        else { return nil }
        return encoded.lowercased()
    }
}
