import NIOCore
import NIOHTTP2

/// A client that can be kept in a list, and that one task at a time can use.
actor ProviderClientBox {
    private var client: ProviderClient?

    init(_ client: consuming ProviderClient) {
        self.client = consume client
    }

    /// Closes the connection.
    func close() async throws {
        if let client = client.take() { try await client.close() }
    }

    /// Returns the answer on a stream, and the texts of the GOAWAY frames until the connection closes.
    func last(on stream: HTTP2StreamID) async throws -> (answer: ProviderExchange, goAways: [String]) {
        guard var client = client.take() else { throw CancellationError() }
        let answer = try ProviderExchange(try await client.answer(on: stream))
        let goAways = await client.end().compactMap { frame -> String? in
            guard case .goAway(_, _, let data) = frame else { return nil }
            return data.map { String(buffer: $0) } ?? ""
        }
        return (answer, goAways)
    }
}
