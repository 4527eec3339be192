// Full Foundation, not FoundationEssentials: beyond ASCII, CoreFoundation decides how strings are compared and searched
// (canonical equivalents are equal, a match never splits a composed character, folding has its own tables). On Linux,
// Foundation contains the same code as on Apple's platforms.
private import Foundation

/// The platform's string functions, used for strings that are not ASCII.
enum PlatformString {
    /// The position at which a string must contain another one.
    enum Position {
        case start
        case end
        case anywhere
    }

    /// Compares two strings: the result is less than, equal to or greater than 0.
    static func compare(_ left: String, _ right: String, options: ContentPredicate.Options) -> Int {
        NSString(string: left).compare(right, options: compareOptions(options)).rawValue
    }

    /// Returns whether `string` contains `part` at `position`; an empty part is never found (`NSString.range(of:)`).
    static func contains(
        _ part: String,
        in string: String,
        at position: Position,
        options: ContentPredicate.Options
    ) -> Bool {
        guard !part.isEmpty else { return false }
        var search = compareOptions(options)
        switch position {
        case .start: search.insert(.anchored)
        case .end: search.formUnion([.anchored, .backwards])
        case .anywhere: break
        }
        let whole = NSString(string: string)
        let range = whole.range(of: part, options: search)
        // On Linux, U+0000 is also found after the end of the string.
        return range.location != NSNotFound && NSMaxRange(range) <= whole.length
    }

    /// Returns `string` without the differences that `options` ignore.
    static func folded(_ string: String, options: ContentPredicate.Options) -> String {
        guard options.foldsStrings else { return string }
        return string.folding(options: compareOptions(options), locale: nil)
    }

    /// Returns the platform's options; both `[c]` and `[d]` also ignore width, as in the platform's predicates.
    private static func compareOptions(_ options: ContentPredicate.Options) -> NSString.CompareOptions {
        guard !options.contains(.normalized) else { return .literal }
        var compareOptions: NSString.CompareOptions = options.foldsStrings ? .widthInsensitive : []
        if options.contains(.caseInsensitive) { compareOptions.insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { compareOptions.insert(.diacriticInsensitive) }
        return compareOptions
    }
}

extension ContentPredicate.Options {
    /// Whether the options ignore differences between strings.
    var foldsStrings: Bool {
        !contains(.normalized) && !isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
    }
}
