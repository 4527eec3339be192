internal import Hummingbird
internal import LocalService
internal import WaypostSchema

/// A request to wait until a list has a number of elements: `?wait=2&timeout=5s`.
struct ListWait {
    private let minimumCount: Int
    private let timeout: WaitTimeout
    private let context: ServiceContext

    /// Parses a request's query; without `wait`, the answer is immediate.
    init(_ request: Request, _ context: ServiceContext) throws(RequestError) {
        minimumCount = try request.number("wait", default: 0)
        timeout = try WaitTimeout(request)
        self.context = context
    }

    /// Returns a list once it has the required number of elements, the time is over or the agent shuts down.
    func list<List: Sendable>(
        after changes: ChangeNotifier<Unkeyed>,
        _ sources: AgentSources,
        read: @escaping @Sendable () throws -> List,
        count elementCount: @escaping @Sendable (List) -> Int
    ) async throws -> List {
        let changes = changes.watch()
        let first = try read()
        guard elementCount(first) < minimumCount else { return first }
        let minimumCount = minimumCount
        try await timeout.wait(unlessDisconnected: context, sleep: sources.sleep) {
            for await _ in changes where elementCount(try read()) >= minimumCount { return }
        }
        return try read()
    }
}
