internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTPCompression
internal import NIOSSL
internal import TextBasics
internal import UniversalLinks
internal import WaypostSchema

extension HTTPClient.Configuration {
    /// Returns the configurations of two clients for association files.
    ///
    /// The verifying one is for domains. The trusting one accepts any certificate, as devices do from development
    /// servers.
    static func forAssociations(
        _ configuration: AssociationFetcher.Configuration
    ) throws(AssociationFailure) -> (verifying: Self, trusting: Self) {
        var verifyingTLS = TLSConfiguration.makeClientConfiguration()
        if let path = configuration.trustRoots {
            verifyingTLS.additionalTrustRoots = [.certificates(try certificates(at: path))]
        }
        var trustingTLS = TLSConfiguration.makeClientConfiguration()
        trustingTLS.certificateVerification = .none
        return (Self(verifyingTLS, configuration.timeout), Self(trustingTLS, configuration.timeout))
    }

    private init(_ tls: TLSConfiguration, _ timeout: Duration) {
        self.init(
            tlsConfiguration: tls,
            redirectConfiguration: .disallow,
            // Connecting may take the whole time, but no longer.
            timeout: Timeout(connect: TimeAmount(timeout)),
            // The limit is on the uncompressed file.
            decompression: .enabled(limit: .size(AssociationFile.maximumSize))
        )
        // A file is fetched about once a week, and no connection stays alive that long.
        maximumUsesPerConnection = 1
        httpVersion = .http1Only
        connectionPool.retryConnectionEstablishment = false
    }

    private static func certificates(at path: String) throws(AssociationFailure) -> [NIOSSLCertificate] {
        do {
            let certificates = try NIOSSLCertificate.fromPEMFile(path)
            if !certificates.isEmpty { return certificates }
        } catch {
            // The thrown error distinguishes a missing file from one without certificates only by numbers.
        }
        throw AssociationFailure(
            code: .unreadable,
            message: "'\(path.safe(for: .excerpt))' cannot be read as a PEM file of certificates to trust"
        )
    }
}
