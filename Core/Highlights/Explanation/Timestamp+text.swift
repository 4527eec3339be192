internal import FoundationEssentials
package import WaypostSchema

extension Timestamp {
    /// The time in UTC to the second, for display.
    package var text: String {
        Date(timeIntervalSince1970: Double(rawValue) / 1_000).formatted(.iso8601)
    }
}
