internal import Foundation
internal import WaypostSchema

/// Identifiers that follow from a seed, so that every run of a scenario has the same ones.
struct SeededIdentifiers: Sendable {
    private var state: UInt64

    init(seed: Int) {
        state = UInt64(bitPattern: Int64(seed))
    }

    /// Returns the next identifier of a notification, a UUID.
    mutating func next() -> NotificationID {
        let (high, low) = (random(), random())
        let digits = [high, low].map {
            String(repeating: "0", count: $0.leadingZeroBitCount / 4) + String($0, radix: 16)
        }
        var text = (digits.joined().suffix(32)).map { $0 }
        // Version 4, variant 1 (RFC 9562).
        text[12] = "4"
        text[16] = "8"
        for place in [8, 13, 18, 23] { text.insert("-", at: place) }
        return NotificationID(rawValue: String(text))
    }

    /// Returns the next number of SplitMix64.
    private mutating func random() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
