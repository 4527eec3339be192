package import Hummingbird
internal import ServiceLifecycle

/// How long a request wants to wait at most: `timeout=2s`.
package struct WaitTimeout: Sendable {
    /// The longest wait, so that no connection is forgotten.
    private static let longest = Duration.seconds(60)

    private let duration: Duration

    /// Reads a request's query; 10 seconds by default.
    package init(_ request: Request) throws(RequestError) {
        let text = request.uri.queryParameters["timeout"] ?? "10s"
        guard let milliseconds = TimeSpan.milliseconds(text, units: [.millisecond, .second]),
            .milliseconds(milliseconds) <= Self.longest
        else {
            throw .badParameter(name: "timeout", "'\(text)' is no time such as 500ms or 2s, of 60s at most")
        }
        duration = .milliseconds(milliseconds)
    }

    /// Waits until `condition` returns, the time is over or the service shuts down.
    ///
    /// - Parameters:
    ///   - sleep: waits for a time.
    ///   - condition: returns once there is nothing more to wait for.
    /// - Throws: what `condition` throws.
    package func wait(
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        for condition: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await cancelWhenGracefulShutdown {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await condition() }
                group.addTask { try? await sleep(duration) }
                try await group.next()
                group.cancelAll()
            }
        }
    }
}

/// Spans of time as parameters have them: a whole number and a unit, such as `90s`.
package enum TimeSpan {
    /// A unit of time, by its sign.
    package enum Unit: String {
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

    /// Returns the milliseconds of a span in one of `units`, or the most that there can be; `nil` if `text` is none.
    ///
    /// A number has 18 digits at most.
    package static func milliseconds(_ text: Substring, units: [Unit]) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = Unit(rawValue: String(text.dropFirst(digits.count)))
        guard digits.count <= 18, let count = Int(digits), let unit, units.contains(unit) else { return nil }
        let (milliseconds, overflows) = count.multipliedReportingOverflow(by: unit.milliseconds)
        return overflows ? .max : milliseconds
    }
}
