internal import Foundation
package import WaypostSchema

/// The delivery of a notification as text.
package enum NotificationDetails {
    /// Returns the details: a summary, and each state with its time and the time since the state before it.
    package static func text(_ notification: NotificationRecord) -> String {
        let head = [
            summary(notification), addressee(notification), terms(notification), trace(notification),
            rejection(notification),
        ]
        return (head.compactMap { $0 } + ["", steps(notification)]).joined(separator: "\n")
    }

    private static func summary(_ notification: NotificationRecord) -> String {
        let attempts =
            switch notification.attempts {
            case 0: "never sent"
            case 1: "sent once"
            default: "sent \(notification.attempts) times"
            }
        return "\(notification.id?.rawValue ?? "without an identifier"): \(notification.state.rawValue), \(attempts)"
    }

    private static func addressee(_ notification: NotificationRecord) -> String {
        let parts = [
            notification.topic.map { "for \($0)" }, notification.token.map { "to \($0)" },
            "in batch \(notification.batch)", "sequence \(notification.sequence)",
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }

    private static func terms(_ notification: NotificationRecord) -> String? {
        let parts = [
            notification.pushType?.rawValue, notification.priority.map { "priority \($0)" },
            notification.expiration.map(expiration), notification.collapseID.map { "collapse identifier \($0)" },
        ]
        let terms = parts.compactMap { $0 }.joined(separator: ", ")
        return terms.isEmpty ? nil : terms
    }

    private static func expiration(_ seconds: Int) -> String {
        guard seconds != 0 else { return "expiration 0 (deliver now or drop)" }
        let (milliseconds, overflows) = seconds.multipliedReportingOverflow(by: 1_000)
        return "expires " + (overflows ? "never" : Timestamp(milliseconds: milliseconds).textWithMilliseconds)
    }

    private static func trace(_ notification: NotificationRecord) -> String? {
        notification.traceparent.map { "trace \($0.traceID), span \($0.spanID)" }
    }

    private static func rejection(_ notification: NotificationRecord) -> String? {
        notification.reason.map { "\($0): \(notification.message ?? "")" }
    }

    private static func steps(_ notification: NotificationRecord) -> String {
        let earlier = [nil] + notification.history.map { $0 as DeliveryStep? }
        let rows = zip(notification.history, earlier).map { step, before in
            [step.at.textWithMilliseconds, before.map { step.at.text(after: $0.at) } ?? "", step.state.rawValue]
        }
        return TextTable(header: ["Time", "After", "State"], rows: rows).text
    }
}

extension Timestamp {
    /// The last time that is written as a date: the end of the year 9999.
    private static let lastDate = Timestamp(milliseconds: 253_402_300_799_999)

    /// The time in ISO 8601, in UTC, such as `2026-09-21T14:13:20.007Z`.
    package var textWithMilliseconds: String {
        guard (Timestamp(milliseconds: 0)...Self.lastDate).contains(self) else { return "\(rawValue) ms since 1970" }
        let date = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
        return date.dropLast() + "." + Self.padded(rawValue % 1_000, to: 3) + "Z"
    }

    /// The time in UTC without its year, such as `09-21 14:13:20.007`.
    package var shortText: String {
        let text = textWithMilliseconds
        guard text.count == "2026-09-21T14:13:20.007Z".count else { return text }
        return String(text.dropFirst("2026-".count).dropLast().replacing("T", with: " "))
    }

    /// Returns the time since an earlier time, such as `+12 ms`.
    package func text(after earlier: Self) -> String {
        let milliseconds = rawValue - earlier.rawValue
        guard (1_000..<60_000).contains(milliseconds) else { return "+" + TimeText.duration(milliseconds) }
        return "+\(milliseconds / 1_000).\(Self.padded(milliseconds % 1_000, to: 3)) s"
    }

    private static func padded(_ number: Int, to digits: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

extension DeviceToken {
    /// The first digits of a long token, or all of a short one.
    package var shortText: String {
        rawValue.count <= 16 ? rawValue : rawValue.prefix(8) + "…"
    }
}

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
