internal import TextBasics
package import WaypostSchema

/// The sources of time and randomness of a gateway, which tests can replace.
package struct GatewaySources: Sendable {
    /// Returns the current time.
    package var now: @Sendable () -> Timestamp

    /// Returns a number of random bytes.
    package var randomBytes: @Sendable (Int) -> [UInt8]

    /// Creates sources from functions.
    package init(now: @escaping @Sendable () -> Timestamp, randomBytes: @escaping @Sendable (Int) -> [UInt8]) {
        self.now = now
        self.randomBytes = randomBytes
    }

    /// Returns random bytes in hexadecimal, two lowercase digits per byte.
    func randomHexadecimal(bytes count: Int) -> String {
        Hexadecimal.string(randomBytes(count))
    }

    /// Returns a random UUID (RFC 9562, version 4) in its canonical form.
    func makeUUID() -> String {
        UUIDString.make(randomBytes(16), version: 4)
    }
}
