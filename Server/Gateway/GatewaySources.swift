internal import GatewayStore
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

/// The name of a notification by its sequence in the log: a UUID of version 8 (RFC 9562, section 5.8).
struct UniqueID: CustomStringConvertible, Equatable {
    /// The start of every such name: "waypost" in ASCII, split by the version's byte.
    private static let start: [UInt8] = Array("waypos".utf8) + [0, UInt8(ascii: "t")]

    /// The sequence of the notification in the log.
    let sequence: Int

    init(sequence: Int) {
        self.sequence = sequence
    }

    /// Parses the name; `nil` if `string` is not such a name.
    init?(_ string: String) {
        guard string.isCanonicalUUID else { return nil }
        let digits = string.filter { $0 != "-" }
        // The sequence is in the last 15 digits, which follow the digit with the variant's bits.
        guard let sequence = Int(digits.suffix(15), radix: 16) else { return nil }
        self.init(sequence: sequence)
        guard description == string.lowercased() else { return nil }
    }

    /// The UUID in its canonical form.
    var description: String {
        let sequenceBytes = (0..<8).reversed().map { UInt8(truncatingIfNeeded: sequence >> ($0 * 8)) }
        return UUIDString.make(Self.start + sequenceBytes, version: 8)
    }

    /// Returns the `apns-unique-id` of a notification of a batch: the name by which the log finds it, or a random
    /// UUID if there is no log.
    static func string(of appended: AppendedBatch, at index: Int, sources: GatewaySources) -> String {
        appended.logSequences.map { Self(sequence: $0.lowerBound + index).description } ?? sources.makeUUID()
    }
}
