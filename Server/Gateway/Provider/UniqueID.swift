internal import GatewayStore
internal import WaypostSchema

/// A name of a notification that follows from its place in the log: a UUID of version 8 (RFC 9562, section 5.8).
struct UniqueID: CustomStringConvertible, Equatable {
    /// What every one of them begins with: "waypost" in ASCII, as far as there is room.
    private static let start: [UInt8] = Array("waypos".utf8) + [0, UInt8(ascii: "t")]

    /// The place.
    let sequence: Int

    init(sequence: Int) {
        self.sequence = sequence
    }

    /// Reads the name; `nil` where it is none of these.
    init?(_ text: String) {
        guard text.isCanonicalUUID else { return nil }
        let digits = text.filter { $0 != "-" }
        // The digit behind the variant's bits is the last in front of the place.
        guard let place = Int(digits.suffix(15), radix: 16) else { return nil }
        self.init(sequence: place)
        guard description == text.lowercased() else { return nil }
    }

    /// The UUID in its canonical form.
    var description: String {
        let place = (0..<8).reversed().map { UInt8(truncatingIfNeeded: sequence >> ($0 * 8)) }
        return UUIDText.make(Self.start + place, version: 8)
    }

    /// Returns the `apns-unique-id` of a notification of a batch: its place in the log, by which it can be found, or any
    /// UUID if there is no log.
    static func text(of appended: Appended, at index: Int, _ sources: GatewaySources) -> String {
        appended.logged.map { Self(sequence: $0.lowerBound + index).description } ?? sources.makeUUID()
    }
}
