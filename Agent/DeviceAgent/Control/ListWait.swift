internal import Hummingbird
internal import ServiceLifecycle
internal import WaypostSchema

/// A wish to be answered once a list has so many elements: `?wait=2&timeout=5s`.
struct ListWait {
    /// The longest wait, so that no connection is forgotten.
    private static let longest = 60_000

    private let count: Int
    private let timeout: Duration

    /// Reads a request's query; without `wait` nothing is waited for, without `timeout` for 10 seconds.
    init(_ request: Request) throws(AgentFault) {
        count = try request.number("wait", standard: 0)
        timeout = .milliseconds(try Self.milliseconds(request.uri.queryParameters.get("timeout") ?? "10s"))
    }

    /// Returns a list once it has as many elements as are wished for, the time is over or the agent shuts down.
    func list<List: Sendable>(
        of device: Device,
        _ sources: AgentSources,
        read: @escaping @Sendable () throws -> List,
        count elements: @escaping @Sendable (List) -> Int
    ) async throws -> List {
        let changes = device.watchers.watch()
        let first = try read()
        guard elements(first) < count else { return first }
        let (count, timeout) = (count, timeout)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in changes.cancelOnGracefulShutdown() where elements(try read()) >= count { return }
            }
            group.addTask { try? await sources.sleep(timeout) }
            try await group.next()
            group.cancelAll()
            return try read()
        }
    }

    private static func milliseconds(_ text: String) throws(AgentFault) -> Int {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let factor = ["ms": 1, "s": 1_000][String(text.dropFirst(digits.count))]
        guard digits.count <= 5, let count = Int(digits), let factor, count * factor <= longest else {
            throw .badParameter("timeout", "'\(text)' is no time such as 500ms or 2s, of 60s at most")
        }
        return count * factor
    }
}
