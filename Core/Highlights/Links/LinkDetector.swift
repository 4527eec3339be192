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
        var (location, counted) = (0, 0)
        for piece in LinkPieces(text) {
            guard case .link(let end) = piece.extent else { continue }
            location += text.utf16Count(of: counted..<piece.start.offset)
            counted = piece.start.offset
            links.append(link(from: piece.start, to: end, at: location, in: text))
        }
        return links
    }

    private static func link(from start: LinkStart, to end: Int, at location: Int, in text: LinkText) -> DetectedLink {
        let range = start.offset..<end
        return DetectedLink(
            url: start.missingScheme + text.string(range),
            rule: start.rule,
            location: location,
            length: text.utf16Count(of: range)
        )
    }
}

/// The pieces of a text that start like links, in order, until the maximum number of links.
struct LinkPieces: Sequence, IteratorProtocol {
    private let text: LinkText
    private var position = 0
    private var linkCount = 0

    init(_ text: LinkText) {
        self.text = text
    }

    mutating func next() -> (start: LinkStart, extent: LinkExtent)? {
        guard linkCount < LinkDetector.maximumCount, let start = text.nextStart(from: position) else { return nil }
        let extent = text.extent(of: start)
        switch extent {
        case .link(let end):
            linkCount += 1
            position = end
        case .none(let resumption, _):
            position = resumption
        }
        return (start, extent)
    }
}

/// The extent of a piece of text that starts like a link.
enum LinkExtent {
    /// The text is a link that ends at `end`.
    case link(end: Int)

    /// The text is not a link, for a reason; the search continues at `resumption`.
    case none(resumption: Int, LinkRefusal)
}

extension LinkText {
    /// Returns the extent of the link that starts at `start`.
    func extent(of start: LinkStart) -> LinkExtent {
        // In "http://http://a", a URL was pasted after an existing scheme; the last scheme counts.
        guard schemeEnd(at: start.authority) == nil else { return .none(resumption: start.authority, .otherScheme) }
        let authorityEnd: Int
        switch authorityExtent(of: start) {
        case .none(let resumption, let refusal): return .none(resumption: resumption, refusal)
        case .link(let end): authorityEnd = end
        }
        let tailEnd = endOfTail(from: authorityEnd)
        let end = endWithoutPunctuation(of: authorityEnd..<tailEnd, linkStart: start.offset)
        let length = start.missingScheme.utf8.count + end - start.offset
        return length <= LinkURL.maximumLength ? .link(end: end) : .none(resumption: end, .tooLong)
    }
}
