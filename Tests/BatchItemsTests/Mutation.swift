import WaypostTestSupport

/// Small damage to a text.
enum Mutation: CaseIterable {
    case flip
    case delete
    case insert
    case swap
    case truncate
    case overwrite

    /// Bytes with a meaning in JSON or in UTF-8 validation.
    private static let meaningful =
        Array("{}[]:,\"\\/-+.eE0123456789truefalsn \n\t\u{0}\u{1F}\u{7F}".utf8) + [0x80, 0xC2, 0xED, 0xFF]

    /// Applies the damage at a random index of `bytes`, which must not be empty.
    func apply(to bytes: inout [UInt8], using random: inout SeededGenerator) {
        guard let index = bytes.indices.randomElement(using: &random) else { return }
        let byte = Self.meaningful[Int.random(in: Self.meaningful.indices, using: &random)]
        switch self {
        case .flip: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case .delete: bytes.removeSubrange(index..<min(index + Int.random(in: 1...4, using: &random), bytes.count))
        case .insert: bytes.insert(byte, at: index)
        case .swap: bytes.swapAt(index, Int.random(in: bytes.indices, using: &random))
        case .truncate: bytes.removeSubrange(index...)
        case .overwrite: bytes[index] = byte
        }
    }
}
