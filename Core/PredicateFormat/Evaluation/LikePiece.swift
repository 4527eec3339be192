/// What stands between two `*` of a pattern.
struct LikePiece: Sendable {
    private enum Search {
        case exact(TextSearch)
        case withWildcards(WildcardSearch)
    }

    /// Stands for `?`; no character has this number.
    static let wildcard = UInt32.max

    /// The longest piece with wildcards: a search for one has a bit for every unit and each unit that occurs in it.
    static let maximumLength = 4_096

    /// The characters and wildcards, one after the other.
    let units: [UInt32]

    private let search: Search

    init(_ units: [UInt32]) throws(LikePatternError) {
        self.units = units
        guard units.contains(Self.wildcard) else {
            search = .exact(TextSearch(units))
            return
        }
        guard units.count <= Self.maximumLength else { throw .longPart(units.count) }
        search = .withWildcards(WildcardSearch(units, wildcard: Self.wildcard))
    }

    /// Returns whether `units` stand in the text from `start`.
    ///
    /// With `foldingCase`, ASCII capitals of the text count as small letters.
    static func stands<Unit: FixedWidthInteger & UnsignedInteger>(
        _ units: [UInt32],
        in text: UnsafeBufferPointer<Unit>,
        at start: Int,
        _ foldingCase: Bool
    ) -> Bool {
        guard start >= 0, text.count - start >= units.count else { return false }
        for (index, unit) in units.enumerated() where unit != wildcard {
            let found = UInt32(truncatingIfNeeded: text[start + index]).lowercasedASCII(if: foldingCase)
            guard found == unit else { return false }
        }
        return true
    }

    /// Returns where the piece is found first in the units of `range`; `nil` where it is not.
    ///
    /// With `foldingCase`, ASCII capitals of the text count as small letters.
    func firstMatch<Unit: FixedWidthInteger & UnsignedInteger>(
        in text: UnsafeBufferPointer<Unit>,
        _ range: Range<Int>,
        foldingCase: Bool
    ) -> Int? {
        switch search {
        case .exact(let search): search.firstMatch(in: text, range, foldingCase: foldingCase)
        case .withWildcards(let search): search.firstMatch(in: text, range, foldingCase: foldingCase)
        }
    }
}
