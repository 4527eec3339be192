import AsyncHTTPClient
import Deflate
import Foundation
import GatewayTestSupport
import HTTPTypes
import NIOCore
import NIOHTTP1
import WaypostSchema

/// The response to a raw request to a running gateway.
struct Exchange: Sendable {
    let status: UInt
    let headers: HTTPHeaders
    let body: [UInt8]

    /// Returns the body, decoded as a value of the schema.
    func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body))
    }

    /// The error in the body.
    var error: APIError {
        get throws { try decoded(as: APIErrorBody.self).error }
    }
}

extension RunningGateway {
    /// Sends a request to the service listener unchanged.
    func service(
        _ method: NIOHTTP1.HTTPMethod,
        _ path: String,
        headers: [(String, String)] = [],
        body: [UInt8] = []
    ) async throws -> Exchange {
        try await exchange(method, ready.service + path, headers, body)
    }

    /// Sends a request to the courier listener unchanged.
    func courier(
        _ method: NIOHTTP1.HTTPMethod,
        _ path: String,
        headers: [(String, String)] = [],
        body: [UInt8] = []
    ) async throws -> Exchange {
        try await exchange(method, ready.courier + path, headers, body)
    }

    private func exchange(
        _ method: NIOHTTP1.HTTPMethod,
        _ url: String,
        _ headers: [(String, String)],
        _ body: [UInt8]
    ) async throws -> Exchange {
        var request = HTTPClientRequest(url: url)
        request.method = method
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if method == .POST || method == .PUT { request.body = .bytes(ByteBuffer(bytes: body)) }
        let response = try await http.execute(request, timeout: .seconds(60))
        let answer = try await response.body.collect(upTo: 64 << 20)
        return Exchange(status: response.status.code, headers: response.headers, body: Array(answer.readableBytesView))
    }
}
