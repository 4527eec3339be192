internal import UniversalLinks

/// A detector of links in the text of a message.
///
/// A link is a URL with the scheme http or https, or a host that starts with `www.`. Every detected link can be parsed
/// as a `LinkURL`.
public enum LinkDetector {
    /// The maximum number of links in one text; the text after them is not searched.
    public static let maximumCount = 100

    /// Returns the links of a text in order; a link that occurs twice is returned twice.
    ///
    /// - Complexity: O(length of the text).
    public static func links(in text: String) -> [DetectedLink] {
        let text = LinkText(text)
        var links: [DetectedLink] = []
        var position = 0
        while links.count < maximumCount, let start = text.nextStart(from: position) {
            switch text.extent(of: start) {
            case .link(let end):
                links.append(link(from: start, to: end, in: text))
                position = end
            case .none(let resumption):
                position = resumption
            }
        }
        return links
    }

    private static func link(from start: LinkStart, to end: Int, in text: LinkText) -> DetectedLink {
        let writtenURL = String(decoding: text.bytes[start.offset..<end], as: UTF8.self)
        return DetectedLink(url: start.missingScheme + writtenURL, rule: start.rule, utf8Offset: start.offset)
    }
}

/// The extent of a piece of text that starts like a link.
enum LinkExtent {
    /// The text is a link that ends at `end`.
    case link(end: Int)

    /// The text is not a link; the search continues at `resumption`.
    case none(resumption: Int)
}

extension LinkText {
    /// Returns the extent of the link that starts at `start`.
    func extent(of start: LinkStart) -> LinkExtent {
        // In "http://http://a", a URL was pasted after an existing scheme; the last scheme counts.
        guard schemeEnd(at: start.authority) == nil else { return .none(resumption: start.authority) }
        let authorityEnd: Int
        switch authorityExtent(of: start) {
        case .none(let resumption): return .none(resumption: resumption)
        case .link(let end): authorityEnd = end
        }
        let tailEnd = endOfTail(from: authorityEnd)
        let end = endWithoutPunctuation(of: authorityEnd..<tailEnd, linkStart: start.offset)
        let length = start.missingScheme.utf8.count + end - start.offset
        return length <= LinkURL.maximumLength ? .link(end: end) : .none(resumption: end)
    }
}
