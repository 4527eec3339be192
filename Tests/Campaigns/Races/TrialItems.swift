import Foundation
import WaypostSchema
import WaypostTestSupport

/// The items that the trials send.
enum TrialItems {
    /// The topic of all items and devices.
    static let topic: Topic = "com.example.clowntown"

    /// Returns a line of a batch.
    static func line(
        to token: DeviceToken,
        id: NotificationID? = nil,
        expiration: Int? = nil,
        text: String = ""
    ) -> String {
        let id = id.map { #""id":"\#($0)","# } ?? ""
        let expiration = expiration.map { #""expiration":\#($0),"# } ?? ""
        return #"{"token":"\#(token)","topic":"\#(topic)",\#(id)\#(expiration)"payload":{"aps":{},"text":"\#(text)"}}"#
            + "\n"
    }

    /// Returns a random identifier in canonical form.
    static func id(using generator: inout SeededGenerator) -> NotificationID {
        let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let digits = bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }
        let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
        return NotificationID(rawValue: groups.joined(separator: "-"))
    }

    /// Returns the violation that a condition does not become true in time; `nil` if it does.
    static func violation(
        unless sentence: String,
        within limit: Duration = .seconds(10),
        _ isTrue: () async throws -> Bool
    ) async throws -> String? {
        do {
            try await waitUntil(sentence, within: limit, isTrue)
            return nil
        } catch is NeverTrue {
            try Task.checkCancellation()
            return "in \(limit) it did not become true that \(sentence)"
        }
    }
}
