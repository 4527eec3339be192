// Hosts beyond ASCII need IDNA (UTS 46) with its ICU tables, which only full Foundation has.
internal import Foundation
internal import TextBasics

/// A host or domain name, compared without regard to case and with non-ASCII letters as Punycode.
struct LinkHost: Hashable {
    let name: String

    init(_ name: String) {
        self.name = InternationalHost.ascii(Array(name.utf8)[...]) ?? name
    }
}

/// Conversion of hosts with non-ASCII letters.
enum InternationalHost {
    /// Returns the host in lower case, with non-ASCII letters as Punycode, or `nil` if it is not a valid host.
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
