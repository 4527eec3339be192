internal import TextBasics

/// A URL, normalized for each way of comparing it with rules.
struct NormalizedURL {
    /// The way in which a rule is compared with a URL.
    struct ComparisonMode: Hashable, Sendable {
        /// Whether the case of letters is ignored.
        var ignoresCase: Bool

        /// Whether escapes are decoded.
        var decodesEscapes: Bool
    }

    /// A URL normalized for one way of comparing it.
    struct Form {
        /// The bytes of all parts, one after another.
        var bytes: [UInt8]

        /// The path, with one slash at its start and none at its end.
        var path: Range<Int>

        /// The query as a whole.
        var query: Range<Int>

        var fragment: Range<Int>

        /// The items of the query; the value of an item without one is empty.
        var items: [(name: Range<Int>, value: Range<Int>)]

        /// The beginning of the path.
        var pathStart: PathPrefix.Start
    }

    /// The forms of the URL, in the order of the comparison modes.
    let forms: [Form]

    /// Normalizes a URL for `comparisonModes`.
    init(_ url: LinkURL, for comparisonModes: [ComparisonMode]) {
        forms = comparisonModes.map { Form(url, $0) }
    }
}

extension NormalizedURL.Form {
    fileprivate init(_ url: LinkURL, _ comparisonMode: NormalizedURL.ComparisonMode) {
        let (path, query, fragment) = (0..<url.pathEnd, url.pathEnd..<url.queryEnd, url.queryEnd..<url.bytes.count)
        // A decoded escape may be "&" or "=", so the query is split into items before decoding.
        let items = Self.items(of: url)
        guard comparisonMode.ignoresCase || comparisonMode.decodesEscapes else {
            self.init(bytes: url.bytes, path: path, query: query, fragment: fragment, items: items)
            return
        }
        var parts = NormalizedParts(url.bytes, comparisonMode)
        let (newPath, newQuery, newFragment) = (parts.append(path), parts.append(query), parts.append(fragment))
        let newItems = items.map { (name: parts.append($0.name), value: parts.append($0.value)) }
        self.init(bytes: parts.bytes, path: newPath, query: newQuery, fragment: newFragment, items: newItems)
    }

    private init(
        bytes: [UInt8],
        path: Range<Int>,
        query: Range<Int>,
        fragment: Range<Int>,
        items: [(name: Range<Int>, value: Range<Int>)]
    ) {
        // An empty path is "/".
        self.bytes = path.isEmpty ? bytes + [UInt8(ascii: "/")] : bytes
        self.path = path.isEmpty ? bytes.count..<(bytes.count + 1) : Self.trimmed(path, of: bytes)
        self.query = query
        self.fragment = fragment
        self.items = items
        pathStart = PathPrefix.Start(self.bytes[self.path])
    }

    /// Splits a query into items at "&", and each item at its first "=".
    private static func items(of url: LinkURL) -> [(name: Range<Int>, value: Range<Int>)] {
        guard url.queryEnd > url.pathEnd else { return [] }
        return url.bytes[url.pathEnd..<url.queryEnd].split(separator: UInt8(ascii: "&")).map { item in
            let end = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            return (name: item.startIndex..<end, value: min(end + 1, item.endIndex)..<item.endIndex)
        }
    }

    /// Returns the range of a path, which is not empty, with one of the slashes at its start and none of those at its
    /// end.
    static func trimmed(_ path: Range<Int>, of bytes: [UInt8]) -> Range<Int> {
        let slash = UInt8(ascii: "/")
        var (start, end) = (path.lowerBound, path.upperBound)
        while start + 1 < end, bytes[start] == slash, bytes[start + 1] == slash { start += 1 }
        while end > start + 1, bytes[end - 1] == slash { end -= 1 }
        return start..<end
    }
}

/// The normalized parts of a URL, one after another.
private struct NormalizedParts {
    private let originalBytes: [UInt8]
    private let comparisonMode: NormalizedURL.ComparisonMode
    private(set) var bytes: [UInt8] = []

    init(_ originalBytes: [UInt8], _ comparisonMode: NormalizedURL.ComparisonMode) {
        self.originalBytes = originalBytes
        self.comparisonMode = comparisonMode
    }

    /// Appends a part in normalized form, and returns its range.
    mutating func append(_ range: Range<Int>) -> Range<Int> {
        let start = bytes.count
        let part = comparisonMode.decodesEscapes ? Self.decoded(originalBytes[range]) : originalBytes[range]
        bytes += comparisonMode.ignoresCase ? CaseFolding.folded(part)[...] : part
        return start..<bytes.count
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard text.contains(UInt8(ascii: "%")) else { return text }
        var decoded: [UInt8] = []
        var position = text.startIndex
        while position < text.endIndex {
            // In a parsed URL, every percent sign starts an escape.
            if text[position] == UInt8(ascii: "%"), position + 2 < text.endIndex,
                let high = text[position + 1].hexadecimalValue, let low = text[position + 2].hexadecimalValue
            {
                decoded.append(high << 4 | low)
                position += 3
            } else {
                decoded.append(text[position])
                position += 1
            }
        }
        return decoded[...]
    }
}
