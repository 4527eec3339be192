internal import ArgumentParser
internal import Foundation
internal import WaypostSchema

/// A moment, as a person writes it.
struct TimeArgument: ExpressibleByArgument {
    let timestamp: Timestamp

    /// Reads milliseconds since 1970, or a moment in the form of ISO 8601 such as `2022-06-07T09:41:00Z`.
    init?(argument: String) {
        if let milliseconds = Int(argument) {
            timestamp = Timestamp(milliseconds: milliseconds)
        } else if let date = try? Date(argument, strategy: .iso8601) {
            timestamp = Timestamp(milliseconds: Int((date.timeIntervalSince1970 * 1_000).rounded()))
        } else {
            return nil
        }
    }
}
