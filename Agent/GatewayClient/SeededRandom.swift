/// A generator of random numbers that follow from a seed (SplitMix64).
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates the generator of a part of something that has a seed.
    ///
    /// - Parameters:
    ///   - seed: the seed of the whole.
    ///   - part: the number of the part, such as a device of a fleet.
    package init(seed: Int, part: Int = 0) {
        state = UInt64(bitPattern: Int64(seed))
        // The first output for the part, so that neighboring parts have nothing in common.
        state = next() ^ UInt64(bitPattern: Int64(part)) &* 0xD6E8_FEB8_6659_FD93
        state = next()
    }

    /// Returns the next number.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// Returns the next number from 0 up to 1.
    package mutating func nextShare() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// Returns true with a probability.
    package mutating func nextBool(probability: Double) -> Bool {
        probability > 0 && nextShare() < probability
    }
}
