import Foundation
import UniversalLinks

extension FuzzTarget {
    /// The text of a URL.
    static let urls = FuzzTarget(
        name: "urls",
        summary: "URLs of links; the same parts as in Foundation, and after they are put together again"
    ) { bytes in
        let string = String(decoding: bytes, as: UTF8.self)
        do throws(LinkURLError) {
            let url = try LinkURL(string)
            checkParts(of: url, string)
            checkAgreement(of: url, string)
        } catch {
            if case .tooLong(let count) = error {
                promise(count > LinkURL.maximumLength, "a URL that is refused for its length is long", found: string)
            }
        }
    }

    /// The characters that every part of a URL escapes.
    private static let escapedCharacters = Set("\"<>\\^`{|}#[]".utf8)

    /// Checks that the parts have no character that a URL cannot have, and make the same URL again.
    private static func checkParts(of url: LinkURL, _ string: String) {
        for part in [url.path, url.query, url.fragment] {
            let isEscaped = part.utf8.allSatisfy { (0x21...0x7E).contains($0) && !escapedCharacters.contains($0) }
            promise(isEscaped, "a part of a URL is escaped", found: (string, part))
        }
        let isAbsolute = url.path.isEmpty || url.path.utf8.first == UInt8(ascii: "/")
        promise(isAbsolute, "a path begins with a slash", found: string)
        promise(!url.host.isEmpty, "a URL has a host", found: string)
        promise(!url.host.utf8.contains { "/?#@ ".utf8.contains($0) }, "a host is not more", found: (string, url.host))
        let port = url.port.map { ":\($0)" } ?? ""
        let query = url.query.isEmpty ? "" : "?\(url.query)"
        let fragment = url.fragment.isEmpty ? "" : "#\(url.fragment)"
        let spelled = "\(url.scheme.rawValue)://\(url.host)\(port)\(url.path)\(query)\(fragment)"
        guard spelled.utf8.count <= LinkURL.maximumLength else { return }
        guard let again = try? LinkURL(spelled) else {
            return promise(false, "the parts of a URL make a URL", found: (string, spelled))
        }
        let isSame =
            again.scheme == url.scheme && again.host == url.host && again.port == url.port && again.path == url.path
            && again.query == url.query && again.fragment == url.fragment
        promise(isSame, "the parts of a URL make the same URL", found: (string, spelled))
    }

    /// Checks that Foundation finds the same parts after the host.
    ///
    /// If a URL has characters to escape, Foundation escapes the percent signs of its escapes, too.
    private static func checkAgreement(of url: LinkURL, _ string: String) {
        let isMixed = url.spelling.contains(.unescapedCharacters) && string.utf8.contains(UInt8(ascii: "%"))
        // Foundation has rules of its own for hosts.
        let isPlainHost = url.host.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: ".") }
        guard !isMixed, isPlainHost, !url.spelling.contains(.internationalHost),
            !url.spelling.contains(.userInformation), let platform = URL(string: string)
        else { return }
        let parts = [
            platform.path(percentEncoded: true), platform.query(percentEncoded: true) ?? "",
            platform.fragment(percentEncoded: true) ?? "",
        ]
        promise(
            parts == [url.path, url.query, url.fragment],
            "Foundation finds the same parts",
            found: (string, parts)
        )
    }
}
