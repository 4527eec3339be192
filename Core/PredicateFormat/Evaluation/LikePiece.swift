/// The part of a pattern between two `*`.
struct LikePiece: Sendable {
    private enum Search {
        case exact(SubstringSearch)
        case withWildcards(WildcardSearch)
    }

    /// The unit that represents `?`; no character has this number.
    static let wildcard = UInt32.max

    /// The maximum length of a piece with wildcards: a search needs one bit for each unit and each distinct unit.
    static let maximumLength = 4_096

    /// The characters and wildcards, in order.
    let units: [UInt32]

    private let search: Search

    init(_ units: [UInt32]) throws(LikePatternError) {
        self.units = units
        guard units.contains(Self.wildcard) else {
            search = .exact(SubstringSearch(units))
            return
        }
        guard units.count <= Self.maximumLength else { throw .partTooLong(units.count) }
        search = .withWildcards(WildcardSearch(units, wildcard: Self.wildcard))
    }

    /// Returns whether `text` contains `units` at `start`.
    ///
    /// With `foldingCase`, ASCII capitals in the text match lower-case letters.
    static func matches<Unit: FixedWidthInteger & UnsignedInteger>(
        _ units: [UInt32],
        in text: UnsafeBufferPointer<Unit>,
        at start: Int,
        foldingCase: Bool
    ) -> Bool {
        guard start >= 0, text.count - start >= units.count else { return false }
        for (index, unit) in units.enumerated() where unit != wildcard {
            let textUnit = UInt32(truncatingIfNeeded: text[start + index]).lowercasedASCII(if: foldingCase)
            guard textUnit == unit else { return false }
        }
        return true
    }

    /// Returns the position of the first match in `range`, or `nil` if there is none.
    ///
    /// With `foldingCase`, ASCII capitals in the text match lower-case letters.
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
