// Full Foundation, not FoundationEssentials: beyond ASCII, where a text is found is CoreFoundation's decision (canonical
// equivalents match, a match never splits a composed character), and on Linux Foundation carries the same code.
private import Foundation

extension String {
    /// Where a text is looked for.
    enum Place {
        case start
    }

    /// Whether both strings have the same UTF-16 code units, which is what `==` means between two `NSString`s.
    ///
    /// Two strings have the same UTF-16 exactly if they have the same UTF-8; Swift's own `==` would hold canonical
    /// equivalents equal.
    func hasSameUnits(as other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }

    /// Whether `text` is found at `place`; an empty text is never found (`NSString.range(of:)`).
    func isFound(_ text: String, at place: Place) -> Bool {
        guard !text.isEmpty else { return false }
        // Without anything beyond ASCII there is nothing composed and nothing equivalent.
        if utf8.allSatisfy({ $0 < 0x80 }) && text.utf8.allSatisfy({ $0 < 0x80 }) {
            return utf8.starts(with: text.utf8)
        }
        return NSString(string: self).range(of: text, options: .anchored).location != NSNotFound
    }
}
