internal import UniversalLinks

/// Writes the key of a URL part by part, and notes what it does about each where that is asked for.
struct KeyWriter {
    let url: LinkURL

    /// What has been written.
    private(set) var key: [UInt8] = []

    /// What has been done; `nil` where nobody asks.
    private(set) var rewrites: [CanonicalLink.Rewrite]?

    init(of url: LinkURL, rewrites: [CanonicalLink.Rewrite]?) {
        self.url = url
        self.rewrites = rewrites
    }

    /// Writes the whole key.
    mutating func write() {
        key.reserveCapacity(url.host.utf8.count + url.pathBytes.count + url.queryBytes.count + 16)
        writeAuthority()
        note(.escaped, if: url.spelling.contains(.unescapedCharacters))
        writePath(unescaped(url.pathBytes))
        writeQuery(unescaped(url.queryBytes))
        writeFragment(unescaped(url.fragmentBytes))
    }

    /// Appends to the key.
    mutating func append(_ bytes: some Sequence<UInt8>) {
        key.append(contentsOf: bytes)
    }

    /// Notes that something was done, once.
    mutating func note(_ rewrite: @autoclosure () -> CanonicalLink.Rewrite, if isDone: Bool = true) {
        guard isDone, let noted = rewrites else { return }
        let rewrite = rewrite()
        if !noted.contains(rewrite) { rewrites?.append(rewrite) }
    }

    private mutating func writeAuthority() {
        append("https://".utf8)
        append(url.host.utf8)
        note(.secureScheme, if: url.scheme == .http)
        note(.userInformation, if: url.spelling.contains(.userInformation))
        note(.hostCase, if: url.spelling.contains(.uppercaseHost))
        note(.punycode, if: url.spelling.contains(.internationalHost))
        note(.port(nil), if: url.spelling.contains(.emptyPort))
        guard let port = url.port else { return }
        // The key has https, so that a port that is dropped under https is dropped under http as well.
        if port == url.scheme.defaultPort || port == LinkURL.Scheme.https.defaultPort {
            note(.port(port))
        } else {
            append(":\(port)".utf8)
        }
    }

    private mutating func writeFragment(_ fragment: ArraySlice<UInt8>) {
        note(.emptyFragment, if: url.spelling.contains(.emptyFragment))
        let directive = fragment.startOfFragmentDirective
        note(.fragmentDirective, if: directive < fragment.endIndex)
        guard directive > fragment.startIndex else { return }
        append("#".utf8)
        append(fragment[..<directive])
    }
}

extension ArraySlice<UInt8> {
    /// Where the directive for the browser starts (URL Fragment Text Directives, section 3.1); the end where there is none.
    fileprivate var startOfFragmentDirective: Int {
        let delimiter = Array(":~:".utf8)
        return indices.first { self[$0...].starts(with: delimiter) } ?? endIndex
    }
}
