// Full Foundation, not FoundationEssentials: beyond ASCII, how texts compare and where one is found in another is
// CoreFoundation's decision (canonical equivalents are equal, a match never splits a composed character, folding has
// tables of its own), and on Linux Foundation carries the same code as the platform.
private import Foundation

/// What the platform's own string functions say of texts beyond ASCII.
enum PlatformText {
    /// Where a text is looked for in another.
    enum Position {
        case start
        case end
        case anywhere
    }

    /// Returns how `left` is ordered against `right`: less than, equal to or greater than 0.
    static func compare(_ left: String, _ right: String, _ options: ContentPredicate.Options) -> Int {
        NSString(string: left).compare(right, options: comparison(options)).rawValue
    }

    /// Returns whether `part` is found in `text`; an empty text is never found (`NSString.range(of:)`).
    static func find(
        _ part: String,
        in text: String,
        at position: Position,
        _ options: ContentPredicate.Options
    ) -> Bool {
        guard !part.isEmpty else { return false }
        var search = comparison(options)
        switch position {
        case .start: search.insert(.anchored)
        case .end: search.formUnion([.anchored, .backwards])
        case .anywhere: break
        }
        let whole = NSString(string: text)
        let range = whole.range(of: part, options: search)
        // On Linux U+0000 is also found where the text has ended.
        return range.location != NSNotFound && NSMaxRange(range) <= whole.length
    }

    /// Returns `text` with all that `options` ignore taken away.
    static func folded(_ text: String, _ options: ContentPredicate.Options) -> String {
        guard options.folds else { return text }
        return text.folding(options: comparison(options), locale: nil)
    }

    /// Both `[c]` and `[d]` ignore width too, as the platform's predicates do.
    private static func comparison(_ options: ContentPredicate.Options) -> NSString.CompareOptions {
        guard !options.contains(.normalized) else { return .literal }
        var comparison: NSString.CompareOptions = options.folds ? .widthInsensitive : []
        if options.contains(.caseInsensitive) { comparison.insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { comparison.insert(.diacriticInsensitive) }
        return comparison
    }
}

extension ContentPredicate.Options {
    /// Whether the options ignore differences between texts.
    var folds: Bool {
        !contains(.normalized) && !isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
    }
}
