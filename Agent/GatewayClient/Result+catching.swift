extension Result where Failure == any Error {
    /// Returns what `body` returns or throws, for work that must be followed by other work in both cases.
    package static func catching(_ body: () async throws -> Success) async -> Self {
        do {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }
}
