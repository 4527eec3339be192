internal import Glibc
internal import Synchronization

/// Unpredictable bytes for secrets and identifiers.
///
/// The system is asked for many at once, because each call costs more than the bytes. Every byte is used once, and is
/// removed from memory when it is taken.
package final class SecureRandomBytes: Sendable {
    private static let size = 1_024

    private struct State {
        var bytes: [UInt8] = []
        var used = 0
    }

    private let state = Mutex(State())

    /// Creates a source without bytes.
    package init() {}

    /// Returns a number of bytes.
    package func take(_ count: Int) -> [UInt8] {
        state.withLock { state in
            if state.used + count > state.bytes.count {
                // The rest is too short, so the source drops it.
                state.bytes = Self.systemBytes(max(Self.size, count))
                state.used = 0
            }
            let range = state.used..<state.used + count
            let bytes = Array(state.bytes[range])
            for index in range { state.bytes[index] = 0 }
            state.used = range.upperBound
            return bytes
        }
    }

    /// Returns bytes of the system's generator (`getentropy`, which gives at most 256 at a time).
    private static func systemBytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while initialized < count {
                let part = min(256, count - initialized)
                guard let place = buffer.baseAddress.map({ $0 + initialized }), getentropy(place, part) == 0 else {
                    preconditionFailure("the system has no random bytes")
                }
                initialized += part
            }
        }
    }
}
