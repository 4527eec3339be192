/// The first bytes that a path must have for a rule to match it, to pass over most rules in a nanosecond each.
struct PathPrefix: Sendable {
    private let bytes: SIMD2<UInt64>
    private let mask: SIMD2<UInt64>

    /// Creates the prefix of a pattern for paths; `nil` is about every path.
    init(_ pattern: PathPattern?) {
        // What is matched without the "/*" at the end is shorter.
        let prefix = Array(pattern.map { $0.folder?.prefix ?? $0.whole.prefix } ?? [])
        bytes = Start(prefix[...]).bytes
        mask = Start(prefix.map { _ in 0xFF }[...]).bytes
    }

    /// The first bytes of a path, as prefixes are compared with them.
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

    /// Whether a path starts so; one that is shorter may look as if it did.
    func mayStart(_ path: Start) -> Bool {
        ((bytes ^ path.bytes) & mask) == SIMD2()
    }
}
