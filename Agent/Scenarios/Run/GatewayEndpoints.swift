internal import AsyncHTTPClient
internal import Foundation
internal import GatewayClient
package import WaypostSchema

/// The URLs of a gateway's listeners, with the token and the certificate that calls to them need.
package struct GatewayEndpoints: Sendable {
    /// The URL of its service listener.
    package var service: String

    /// The URL of its provider listener with TLS, if it is known.
    package var provider: String?

    /// The URL of its provider listener without TLS, if it is known.
    package var providerPlaintext: String?

    /// The path of the certificate of its authority, if it is known.
    package var caCertificatePath: String?

    /// The administrative token, if it needs one.
    package var adminToken: String?

    /// Creates the value from a ready file of the gateway.
    package init(_ ready: GatewayReadyFile, adminToken: String?) {
        self.init(
            service: ready.service,
            provider: ready.provider,
            providerPlaintext: ready.providerPlaintext,
            // Commands run in the folder of the scenario, and the path may be relative to that of this process.
            caCertificatePath: ready.ca.map { URL(filePath: $0).path },
            adminToken: adminToken
        )
    }

    /// Creates the value from its parts.
    package init(
        service: String,
        provider: String? = nil,
        providerPlaintext: String? = nil,
        caCertificatePath: String? = nil,
        adminToken: String? = nil
    ) {
        self.service = service
        self.provider = provider
        self.providerPlaintext = providerPlaintext
        self.caCertificatePath = caCertificatePath
        self.adminToken = adminToken
    }

    /// Returns the endpoints with the URLs and the certificate of the provider listeners, which the gateway reports.
    ///
    /// - Parameters:
    ///   - http: the client that asks the gateway.
    ///   - workspace: the folder for the certificate.
    /// - Returns: the endpoints.
    /// - Throws: `CallError`, `ProcessFailure`.
    func withProviderListeners(_ http: HTTPClient, in workspace: Workspace) async throws -> Self {
        guard provider == nil, providerPlaintext == nil else { return self }
        let client = GatewayClient(
            http,
            service: service,
            courier: service,
            adminToken: { [adminToken] in adminToken }
        )
        let health = try await client.health()
        var endpoints = self
        endpoints.provider = health.provider
        endpoints.providerPlaintext = health.providerPlaintext
        if health.provider != nil, let certificate = try await client.authorityCertificate() {
            endpoints.caCertificatePath = try workspace.write(certificate, to: "ca.pem")
        }
        return endpoints
    }
}
