package import WaypostSchema

/// The choice of the requests that get a fault, from those that it sees.
extension SendFault {
    /// The maximum number of characters of a pattern.
    package static let maximumPatternLength = 64

    /// Whether some requests that the fault sees may go without it.
    package var isSelective: Bool {
        pattern != nil || probability != nil
    }

    /// Returns whether a request that the fault sees gets it.
    ///
    /// The choice depends on nothing but the fault and the number, so that a test can be repeated.
    ///
    /// - Parameter number: the number of the requests that the fault has seen before.
    /// - Returns: whether the request gets the fault.
    package func affectsRequest(after number: Int) -> Bool {
        if let pattern, !pattern.isEmpty {
            let characters = Array(pattern.utf8)
            return characters[number % characters.count] == UInt8(ascii: "x")
        }
        guard let probability else { return true }
        // The upper 53 bits are exact as a fraction.
        return Double(randomBits(number) >> 11) * 0x1p-53 < probability
    }

    /// Returns the number with `number` in the sequence of the seed (SplitMix64), without those before it.
    private func randomBits(_ number: Int) -> UInt64 {
        let start = Self.mix(UInt64(bitPattern: Int64(seed ?? 0)))
        return Self.mix(start &+ (UInt64(bitPattern: Int64(number)) &+ 1) &* 0x9E37_79B9_7F4A_7C15)
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        var bits = value
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// The mistake in `probability`, `seed` or `pattern`, with the name of the member; `nil` if there is none.
    package var choiceProblem: (member: String, message: String)? {
        if pattern != nil, probability != nil {
            return ("pattern", "it excludes 'probability'; use one of them")
        }
        if let probability, !(probability > 0 && probability <= 1) {
            return ("probability", "\(probability) is not accepted; use a number greater than 0, at most 1")
        }
        if seed != nil, probability == nil {
            return ("seed", "it is for 'probability', which is missing")
        }
        if let seed, seed < 0 { return ("seed", "\(seed) is not accepted; use 0 or a greater number") }
        guard let pattern, !Self.isPattern(pattern) else { return nil }
        return (
            "pattern",
            """
            it is not accepted; use up to \(Self.maximumPatternLength) characters, 'x' for the fault and '-' for none, \
            with at least one 'x', such as --x
            """
        )
    }

    private static func isPattern(_ pattern: String) -> Bool {
        let characters = pattern.utf8
        return characters.count <= maximumPatternLength && characters.contains(UInt8(ascii: "x"))
            && characters.allSatisfy { $0 == UInt8(ascii: "x") || $0 == UInt8(ascii: "-") }
    }
}
