internal import UniversalLinks

/// Finds the links in the text of a message.
///
/// A link is a URL with the scheme http or https, or a host that starts with `www.`. Every link that is found can be read
/// as a `LinkURL`.
public enum LinkDetector {
    /// The most links that are found in one text; what stands behind them is not looked at.
    public static let maximumCount = 100

    /// Returns the links of a text in their order; one that stands there twice is there twice.
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
        let written = String(decoding: text.bytes[start.offset..<end], as: UTF8.self)
        return DetectedLink(url: start.missingScheme + written, rule: start.rule, utf8Offset: start.offset)
    }
}

/// How far what starts like a link goes.
enum LinkExtent {
    /// It is a link up to there.
    case link(end: Int)

    /// It is none, and the search goes on there.
    case none(resumption: Int)
}

extension LinkText {
    /// Returns how far the link goes that starts at `start`.
    func extent(of start: LinkStart) -> LinkExtent {
        // "http://http://a" was pasted behind a scheme that was already there, and the last one counts.
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
