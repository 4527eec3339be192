internal import Foundation
internal import JSONScanning
internal import WaypostSchema

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// A running gateway, such as one in a container.
struct RunningGateway: Sendable {
    /// The base URL of the service listener, without a slash at its end.
    private let service: String

    private let adminToken: String?

    /// The time that a gateway gets which does not answer yet.
    private let timeLimit: Duration

    init(_ url: String, adminToken: String?, timeLimit: Duration = .seconds(10)) {
        service = url.hasSuffix("/") ? String(url.dropLast()) : url
        self.adminToken = adminToken?.isEmpty == true ? nil : adminToken
        self.timeLimit = timeLimit
    }

    /// Returns the URLs of the gateway, and writes the certificate of its authority into a folder.
    ///
    /// - Throws: `WaypostError.gatewayFailed`.
    func urls(writingCertificateTo folder: URL) async throws -> GatewayReadyFile {
        let health = try await get("/health", as: Health.self)
        var urls = GatewayReadyFile(service: service, courier: health.courier ?? "")
        (urls.provider, urls.providerPlaintext) = (health.provider, health.providerPlaintext)
        let (certificate, status) = try await call("GET", "/v1/ca.pem")
        if status == 200 {
            let file = folder.appending(path: "ca.pem")
            try certificate.write(to: file)
            urls.ca = file.path
        }
        return urls
    }

    /// Returns whether the gateway's clock moves only on request.
    ///
    /// - Throws: `WaypostError.gatewayFailed`.
    func hasManualClock() async throws -> Bool {
        try await get("/v1/clock", as: ClockReading.self).clock == .manual
    }

    /// Deletes a namespace.
    ///
    /// - Throws: `WaypostError.gatewayFailed`.
    func delete(_ namespace: Namespace) async throws {
        _ = try await call("DELETE", "/v1/namespaces/\(namespace.rawValue)", timeLimit: .zero)
    }

    private func get<Value: Decodable>(_ path: String, as type: Value.Type) async throws -> Value {
        let (body, status) = try await call("GET", path)
        do {
            return try DocumentDecoder.decode(type, from: body)
        } catch {
            throw WaypostError.gatewayFailed(service, reason: "unexpected answer to \(path), with status \(status)")
        }
    }

    /// Calls the service API, and returns the body and the status of the response: 200 to 299, or 404.
    private func call(_ method: String, _ path: String, timeLimit: Duration? = nil) async throws -> (Data, Int) {
        guard let url = URL(string: service + path), ["http", "https"].contains(url.scheme) else {
            throw WaypostError.gatewayFailed(service, reason: "it is not a URL that begins with http:// or https://")
        }
        var request = URLRequest(url: url)
        request.httpMethod = method
        if let adminToken { request.setValue("Bearer \(adminToken)", forHTTPHeaderField: "Authorization") }
        // A deletion is not repeated, so a busy gateway gets more time for it.
        request.timeoutInterval = method == "DELETE" ? 30 : 5
        let (body, response) = try await response(to: request, until: .now + (timeLimit ?? self.timeLimit))
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard 200..<300 ~= status || status == 404 && path != "/health" else {
            let text = String(decoding: body, as: UTF8.self)
            throw WaypostError.gatewayFailed(service, reason: "it answered \(status) to \(path): \(text)")
        }
        return (body, status)
    }

    private func response(
        to request: URLRequest,
        until end: ContinuousClock.Instant
    ) async throws -> (Data, URLResponse) {
        while true {
            do {
                return try await URLSession.shared.data(for: request)
            } catch {
                guard ContinuousClock.now < end, !Task.isCancelled else {
                    throw WaypostError.gatewayFailed(
                        service,
                        reason: "it cannot be reached: \(error.localizedDescription)"
                    )
                }
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}
