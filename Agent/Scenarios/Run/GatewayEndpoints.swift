internal import Foundation
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
}
