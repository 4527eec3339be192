import AsyncHTTPClient
import Deflate
import Foundation
import GatewayTestSupport
import HTTPTypes
import NIOCore
import NIOHTTP1
import WaypostSchema

/// What a raw request to a running gateway was answered with.
struct Exchange: Sendable {
    let status: UInt
    let headers: HTTPHeaders
    let body: [UInt8]

    /// The body as a value of the schema.
    func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body))
    }

    /// The error that the body carries.
    var error: APIError {
        get throws { try decoded(as: APIErrorBody.self).error }
    }
}

extension RunningGateway {
    /// Sends a request to the service listener as it is.
    func service(
        _ method: NIOHTTP1.HTTPMethod,
        _ path: String,
        headers: [(String, String)] = [],
        body: [UInt8] = []
    ) async throws -> Exchange {
        try await exchange(method, ready.service + path, headers, body)
    }

    /// Sends a request to the courier listener as it is.
    func courier(
        _ method: NIOHTTP1.HTTPMethod,
        _ path: String,
        headers: [(String, String)] = [],
        body: [UInt8] = []
    ) async throws -> Exchange {
        try await exchange(method, ready.courier + path, headers, body)
    }

    /// Sends a batch, coded as `coding` says.
    func batch(_ body: [UInt8], coding: String? = nil, query: String = "") async throws -> Exchange {
        let headers = coding.map { [("content-encoding", $0)] } ?? []
        return try await service(.POST, "/v1/batches" + query, headers: headers, body: body)
    }

    /// Registers a device for Clown Town.
    func device(secret: AgentSecret? = nil) async throws -> DeviceCredential {
        let registration = DeviceRegistration(name: "iPad", topics: ["com.example.clowntown"], secret: secret)
        let body = Array(try JSONEncoder().encode(registration))
        return try await service(.POST, "/v1/devices", body: body).decoded()
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
        if method == .POST { request.body = .bytes(ByteBuffer(bytes: body)) }
        let response = try await http.execute(request, timeout: .seconds(60))
        let answer = try await response.body.collect(upTo: 64 << 20)
        return Exchange(status: response.status.code, headers: response.headers, body: Array(answer.readableBytesView))
    }
}

/// Returns a line of NDJSON: a notification of Clown Town for `token`, with more members of the envelope.
func line(_ token: DeviceToken, _ more: String = "", payload: String = #"{"aps":{"alert":"Honk"}}"#) -> String {
    #"{"token":"\#(token)","topic":"com.example.clowntown",\#(more)"payload":\#(payload)}"# + "\n"
}
