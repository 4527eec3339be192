internal import JSONScanning
internal import TextBasics
internal import WaypostSchema

/// The payload of a push for a Live Activity ("Starting and updating Live Activities with ActivityKit push
/// notifications").
extension PayloadInspection {
    /// The maximum size in bytes of what an activity shows, static and dynamic data together ("Displaying live data
    /// with Live Activities").
    private static let maximumDataSize = 4_096

    private static let hour = 3_600

    /// Reports what a device drops, or shows otherwise than intended.
    mutating func inspectLiveActivity() {
        if let node = value(of: "input-push-token"), value(of: "input-push-channel") != nil {
            let message = "'input-push-token' and 'input-push-channel' exclude each other; choose one"
            add(.conflictingKeys, .warning, message, at: node.offset)
        }
        inspectData()
        if let now = context.now { inspectTimes(at: now) }
    }

    private mutating func inspectData() {
        let parts = ["content-state", "attributes"].compactMap { value(of: $0) }
        if let state = parts.first, context.size ?? 0 > Self.maximumDataSize {
            let size = parts.reduce(0) { $0 + $1.compactSize }
            if size > Self.maximumDataSize {
                let message = "the data has \(size) bytes; ActivityKit accepts at most \(Self.maximumDataSize)"
                add(.liveActivityTooLarge, .error, message, at: state.offset)
            }
        }
        for part in parts {
            guard let date = part.firstDate else { continue }
            let advice =
                date.seconds.map { "send \($0 - DefaultDate.secondsUntil2001)" }
                ?? "send a number of seconds since 2001"
            let message = "if this is a Date in the app, it is decoded as seconds since 2001: \(advice)"
            add(.dateInState, .note, message, at: date.offset)
        }
    }

    /// Reports times that are too far from the present.
    private mutating func inspectTimes(at present: Timestamp) {
        let now = present.seconds
        func time(_ key: String) -> (seconds: Int, offset: Int)? {
            guard let node = value(of: key), let seconds = node.wholeNumber, seconds < HeaderCheck.firstMilliseconds
            else {
                return nil
            }
            return (seconds, node.offset)
        }
        if let timestamp = time("timestamp") {
            if LiveActivityTimestamp(timestamp.seconds, at: present).isTooFarAhead {
                let hours = LiveActivityTimestamp.maximumHoursAhead
                let message = "'timestamp' is more than \(hours) hours ahead, so a device drops the push"
                add(.unusualTime, .error, message, at: timestamp.offset)
            } else if event == "update", timestamp.seconds < now - 60 {
                let message = "'timestamp' is \(now - timestamp.seconds) seconds old; an old update may be ignored"
                add(.unusualTime, .warning, message, at: timestamp.offset)
            }
        }
        if let date = time("dismissal-date"), event == "end", date.seconds > now + 4 * Self.hour {
            let message = "'dismissal-date' is more than 4 hours ahead; the system removes the activity after 4 hours"
            add(.unusualTime, .note, message, at: date.offset)
        }
        if let date = time("stale-date"), date.seconds < now {
            add(.unusualTime, .warning, "'stale-date' has passed, so the activity is stale at once", at: date.offset)
        }
    }
}

extension JSONNode {
    /// The size of the value in bytes, without spaces.
    fileprivate var compactSize: Int {
        switch value {
        case .null: 4
        case .bool(let value): value ? 4 : 5
        case .number(let number): number.utf8.count
        case .string(let string): string.utf8.count + 2
        case .array(let elements): elements.reduce(2 + max(0, elements.count - 1)) { $0 + $1.compactSize }
        case .object(let members):
            members.reduce(2 + max(0, members.count - 1)) { $0 + $1.name.utf8.count + 3 + $1.value.compactSize }
        }
    }

    /// The first value inside that is probably a date: a time in seconds since 1970, or a text such as
    /// `2026-11-29T12:00:00Z`, which has no seconds.
    fileprivate var firstDate: (seconds: Int?, offset: Int)? {
        switch value {
        case .number(let text):
            guard let seconds = Double(text).flatMap(DefaultDate.unixSeconds) else { return nil }
            return (seconds, offset)
        case .string(let text): return text.isISODate ? (nil, offset) : nil
        case .array(let elements): return elements.lazy.compactMap(\.firstDate).first
        case .object(let members): return members.lazy.compactMap(\.value.firstDate).first
        case .null, .bool: return nil
        }
    }
}

extension String {
    /// Whether this begins with a date and a time in the form of ISO 8601.
    fileprivate var isISODate: Bool {
        let bytes = Array(utf8.prefix(11))
        guard bytes.count == 11, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: "T")
        else { return false }
        return [0, 1, 2, 3, 5, 6, 8, 9].allSatisfy { bytes[$0].isASCIIDigit }
    }
}
