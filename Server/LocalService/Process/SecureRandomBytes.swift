internal import Glibc
internal import Synchronization

/// Unpredictable bytes for secrets and identifiers.
///
/// The source asks the system for many bytes at once, because each call costs more than the bytes. Every byte is used
/// once, and is erased from the source when it is taken.
package final class SecureRandomBytes: Sendable {
    private static let refillSize = 1_024

    private struct State {
        var bytes: [UInt8] = []
        var usedCount = 0
    }

    private let state = Mutex(State())

    /// Creates a source without bytes.
    package init() {}

    /// Returns `count` bytes, which no other call returns.
    package func take(_ count: Int) -> [UInt8] {
        state.withLock { state in
            if state.usedCount + count > state.bytes.count {
                // The remaining bytes are too few, so the source drops them.
                state.bytes = Self.systemBytes(max(Self.refillSize, count))
                state.usedCount = 0
            }
            let range = state.usedCount..<state.usedCount + count
            let bytes = Array(state.bytes[range])
            for index in range { state.bytes[index] = 0 }
            state.usedCount = range.upperBound
            return bytes
        }
    }

    /// Returns bytes of the system's generator (`getentropy`, which gives at most 256 at a time).
    private static func systemBytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while initialized < count {
                let chunkSize = min(256, count - initialized)
                guard let destination = buffer.baseAddress.map({ $0 + initialized }),
                    getentropy(destination, chunkSize) == 0
                else {
                    preconditionFailure("the system has no random bytes")
                }
                initialized += chunkSize
            }
        }
    }
}
