internal import FoundationEssentials
package import WaypostSchema

extension Timestamp {
    /// The moment for a person, to the second, in UTC.
    package var text: String {
        Date(timeIntervalSince1970: Double(rawValue) / 1_000).formatted(.iso8601)
    }
}
