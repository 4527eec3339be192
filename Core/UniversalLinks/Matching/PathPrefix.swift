/// The first bytes of every path that a rule matches, used to skip most rules in about a nanosecond each.
struct PathPrefix: Sendable {
    private let bytes: SIMD2<UInt64>
    private let mask: SIMD2<UInt64>

    /// Creates the prefix for a path pattern; `nil` accepts every path.
    init(_ pattern: PathPattern?) {
        // The pattern also matches without the "/*" at its end, so the prefix must not include it.
        let prefix = Array(pattern.map { $0.folder?.prefix ?? $0.whole.prefix } ?? [])
        bytes = Start(prefix[...]).bytes
        mask = Start(prefix.map { _ in 0xFF }[...]).bytes
    }

    /// The first bytes of a path, in the form in which prefixes are compared.
    struct Start: Sendable {
        fileprivate let bytes: SIMD2<UInt64>

        init(_ path: ArraySlice<UInt8>) {
            var bytes = SIMD2<UInt64>()
            for (index, byte) in path.prefix(16).enumerated() {
                bytes[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8)
            }
            self.bytes = bytes
        }
    }

    /// Returns whether a path may start with the prefix; for a shorter path, the answer may be a false positive.
    func mayMatch(_ path: Start) -> Bool {
        ((bytes ^ path.bytes) & mask) == SIMD2()
    }
}
