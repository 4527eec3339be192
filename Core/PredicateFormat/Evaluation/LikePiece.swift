/// What stands between two `*` of a pattern.
struct LikePiece: Sendable {
    private enum Search {
        case exact(TextSearch)
        case withWildcards(WildcardSearch)
    }

    /// Stands for `?`; no character has this number.
    static let wildcard = UInt32.max

    /// The characters and wildcards, one after the other.
    let units: [UInt32]

    private let search: Search

    init(_ units: [UInt32]) {
        self.units = units
        let hasWildcard = units.contains(Self.wildcard)
        search =
            hasWildcard
            ? .withWildcards(WildcardSearch(units, wildcard: Self.wildcard)) : .exact(TextSearch(units))
    }

    func stands<Unit: FixedWidthInteger & UnsignedInteger>(
        in text: UnsafeBufferPointer<Unit>,
        at start: Int,
        foldingCase: Bool
    ) -> Bool {
        guard start >= 0, text.count - start >= units.count else { return false }
        for (index, unit) in units.enumerated() where unit != Self.wildcard {
            let found = UInt32(truncatingIfNeeded: text[start + index]).lowercasedASCII(if: foldingCase)
            guard found == unit else { return false }
        }
        return true
    }

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
