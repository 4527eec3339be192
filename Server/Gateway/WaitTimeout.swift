internal import Hummingbird
internal import ServiceLifecycle

/// How long a request wants to wait at most: `timeout=2s`.
struct WaitTimeout {
    /// The longest wait, so that no connection is forgotten.
    static let longest = Duration.seconds(60)

    let duration: Duration

    /// Reads a request's query; 10 seconds where it says nothing.
    init(_ request: Request) throws(GatewayFault) {
        let text = request.uri.queryParameters["timeout"] ?? "10s"
        guard let milliseconds = TimeSpan.milliseconds(text, units: [.millisecond, .second]),
            .milliseconds(milliseconds) <= Self.longest
        else {
            throw .badParameter(name: "timeout", "'\(text)' is no time such as 500ms or 2s, of 60s at most")
        }
        duration = .milliseconds(milliseconds)
    }

    /// Waits for `condition`, and goes on when it has come, when the time is over or when the gateway shuts down.
    func wait(for condition: @escaping @Sendable () async throws -> Void) async throws {
        try await cancelWhenGracefulShutdown {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await condition() }
                group.addTask { try? await Task.sleep(for: duration) }
                try await group.next()
                group.cancelAll()
            }
        }
    }
}

/// Spans of time as parameters have them: a whole number and a unit, such as `90s`.
enum TimeSpan {
    /// A unit of time, by its sign.
    enum Unit: String {
        case millisecond = "ms"
        case second = "s"
        case minute = "m"
        case hour = "h"
        case day = "d"

        fileprivate var milliseconds: Int {
            switch self {
            case .millisecond: 1
            case .second: 1_000
            case .minute: 60_000
            case .hour: 3_600_000
            case .day: 86_400_000
            }
        }
    }

    /// Returns the milliseconds of a span in one of `units`, or the most that there can be; `nil` where `text` is none.
    ///
    /// A number has 18 digits at most.
    static func milliseconds(_ text: Substring, units: [Unit]) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = Unit(rawValue: String(text.dropFirst(digits.count)))
        guard digits.count <= 18, let count = Int(digits), let unit, units.contains(unit) else { return nil }
        let (milliseconds, overflows) = count.multipliedReportingOverflow(by: unit.milliseconds)
        return overflows ? .max : milliseconds
    }
}
