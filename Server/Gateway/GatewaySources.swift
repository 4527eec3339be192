package import WaypostSchema

/// Where a gateway takes time and randomness from, so that tests can say what both are.
package struct GatewaySources: Sendable {
    /// Returns the present moment.
    package var now: @Sendable () -> Timestamp

    /// Returns as many random bytes as asked for.
    package var randomBytes: @Sendable (Int) -> [UInt8]

    /// Creates sources from functions.
    package init(now: @escaping @Sendable () -> Timestamp, randomBytes: @escaping @Sendable (Int) -> [UInt8]) {
        self.now = now
        self.randomBytes = randomBytes
    }

    /// Returns random bytes in hexadecimal, two lowercase digits a byte.
    func randomHexadecimal(bytes count: Int) -> String {
        Hexadecimal.text(randomBytes(count))
    }

    /// Returns a random UUID (RFC 9562, version 4) in its canonical form.
    func makeUUID() -> String {
        UUIDText.make(randomBytes(16), version: 4)
    }
}
