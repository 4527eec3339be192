internal import UniversalLinks

/// A writer that builds the content key of a URL part by part and can record each change.
struct KeyWriter {
    let url: LinkURL

    /// The bytes of the key written so far.
    private(set) var key: [UInt8] = []

    /// The recorded changes; `nil` if changes are not recorded.
    private(set) var rewrites: [CanonicalLink.Rewrite]?

    init(of url: LinkURL, rewrites: [CanonicalLink.Rewrite]?) {
        self.url = url
        self.rewrites = rewrites
    }

    /// Writes the whole key.
    mutating func write() {
        key.reserveCapacity(url.host.utf8.count + url.pathBytes.count + url.queryBytes.count + 16)
        writeAuthority()
        record(.escaped, if: url.spelling.contains(.unescapedCharacters))
        writePath(normalizeEscapes(in: url.pathBytes))
        writeQuery(normalizeEscapes(in: url.queryBytes))
        writeFragment(normalizeEscapes(in: url.fragmentBytes))
    }

    /// Appends bytes to the key.
    mutating func append(_ bytes: some Sequence<UInt8>) {
        key.append(contentsOf: bytes)
    }

    /// Records a change, each kind of change once.
    mutating func record(_ rewrite: @autoclosure () -> CanonicalLink.Rewrite, if isDone: Bool = true) {
        guard isDone, let earlierRewrites = rewrites else { return }
        let rewrite = rewrite()
        if !earlierRewrites.contains(rewrite) { rewrites?.append(rewrite) }
    }

    private mutating func writeAuthority() {
        append("https://".utf8)
        append(url.host.utf8)
        record(.secureScheme, if: url.scheme == .http)
        record(.userInformation, if: url.spelling.contains(.userInformation))
        record(.hostCase, if: url.spelling.contains(.uppercaseHost))
        record(.punycode, if: url.spelling.contains(.internationalHost))
        record(.port(nil), if: url.spelling.contains(.emptyPort))
        guard let port = url.port else { return }
        // The key has https, so the default port of https is dropped from http URLs too.
        if port == url.scheme.defaultPort || port == LinkURL.Scheme.https.defaultPort {
            record(.port(port))
        } else {
            append(":\(port)".utf8)
        }
    }

    private mutating func writeFragment(_ fragment: ArraySlice<UInt8>) {
        record(.emptyFragment, if: url.spelling.contains(.emptyFragment))
        let directive = fragment.startOfFragmentDirective
        record(.fragmentDirective, if: directive < fragment.endIndex)
        guard directive > fragment.startIndex else { return }
        append("#".utf8)
        append(fragment[..<directive])
    }
}

extension ArraySlice<UInt8> {
    /// The start of the fragment directive (URL Fragment Text Directives, section 3.1), or the end if there is none.
    fileprivate var startOfFragmentDirective: Int {
        let delimiter = Array(":~:".utf8)
        return indices.first { self[$0...].starts(with: delimiter) } ?? endIndex
    }
}
