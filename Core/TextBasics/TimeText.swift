/// Durations as text.
package enum TimeText {
    /// Returns a duration with its two greatest units, such as `3 min 12 s`.
    package static func duration(_ milliseconds: Int) -> String {
        let (seconds, minutes, hours) = (milliseconds / 1_000, milliseconds / 60_000, milliseconds / 3_600_000)
        return switch milliseconds {
        case ..<1_000: "\(milliseconds) ms"
        case ..<60_000: "\(seconds) s"
        case ..<3_600_000: "\(minutes) min \(seconds % 60) s"
        case ..<86_400_000: "\(hours) h \(minutes % 60) min"
        default: "\(hours / 24) d \(hours % 24) h"
        }
    }
}
