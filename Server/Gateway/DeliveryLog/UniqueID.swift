internal import GatewayStore
internal import TextBasics

/// An `apns-unique-id` that contains the sequence of its notification in the log: a UUID of version 8 (RFC 9562,
/// section 5.8).
struct UniqueID: CustomStringConvertible, Equatable {
    /// The first bytes of every identifier: "waypost" in ASCII, split by the version's byte.
    private static let prefix: [UInt8] = Array("waypos".utf8) + [0, UInt8(ascii: "t")]

    /// The sequence of the notification in the log.
    let sequence: Int

    init(sequence: Int) {
        self.sequence = sequence
    }

    /// Parses an identifier; `nil` if `string` is not one of the gateway.
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
        return UUIDString.make(Self.prefix + sequenceBytes, version: 8)
    }

    /// Returns the `apns-unique-id` of the notification at `index` of a batch; a random UUID if there is no log.
    static func string(of appended: AppendedBatch, at index: Int, sources: GatewaySources) -> String {
        appended.logSequences.map { Self(sequence: $0.lowerBound + index).description } ?? sources.makeUUID()
    }
}
