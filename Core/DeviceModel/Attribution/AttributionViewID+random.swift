public import WaypostSchema

extension AttributionViewID {
    /// Returns a handle that nobody can guess: 128 random bits, written with 26 letters and digits.
    ///
    /// - Parameter generator: where the bits are from; what is handed to apps needs a cryptographic one, such as the system's.
    /// - Returns: the handle.
    public static func unguessable(using generator: inout some RandomNumberGenerator) -> Self {
        let letters = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
        let bits = UInt128(generator.next()) << 64 | UInt128(generator.next())
        let text = (0..<26).map { letters[Int(truncatingIfNeeded: bits >> UInt128($0 * 5)) & 31] }
        return Self(rawValue: String(decoding: text, as: UTF8.self))
    }
}
