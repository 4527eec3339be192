import WaypostTestSupport

/// Contents with different properties for a compressor.
enum Sample: CaseIterable {
    case empty
    case oneByte
    case random
    case repetitive
    case mixed

    /// Returns contents of this kind, at most about 200 KB.
    func bytes(using generator: inout SeededGenerator) -> [UInt8] {
        switch self {
        case .empty: []
        case .oneByte: Self.noise(1, using: &generator)
        case .random: Self.noise(Int.random(in: 2...20_000, using: &generator), using: &generator)
        case .repetitive: Self.repetition(Int.random(in: 1000...200_000, using: &generator), using: &generator)
        case .mixed: Self.mixture(Int.random(in: 1000...200_000, using: &generator), using: &generator)
        }
    }

    /// Returns bytes that do not compress.
    static func noise(_ count: Int, using generator: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 7)
        while bytes.count < count {
            withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) }
        }
        return Array(bytes.prefix(count))
    }

    /// Returns a short word repeatedly.
    static func repetition(_ count: Int, using generator: inout SeededGenerator) -> [UInt8] {
        let word = noise(Int.random(in: 1...40, using: &generator), using: &generator)
        var bytes = word
        while bytes.count < count { bytes += bytes }
        return Array(bytes.prefix(count))
    }

    /// Returns alternating stretches of noise and repetition.
    static func mixture(_ count: Int, using generator: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            bytes += noise(Int.random(in: 1...2000, using: &generator), using: &generator)
            bytes += repetition(Int.random(in: 1...40_000, using: &generator), using: &generator)
        }
        return Array(bytes.prefix(count))
    }
}
