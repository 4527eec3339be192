internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTPCompression
internal import NIOSSL
internal import UniversalLinks
internal import WaypostSchema

extension HTTPClient.Configuration {
    /// The configurations of a client that verifies certificates, for domains, and of one that takes any, as devices do
    /// of servers that apps are developed with.
    static func forAssociations(
        _ configuration: AssociationFetcher.Configuration
    ) throws(AssociationFailure) -> (verifying: Self, trusting: Self) {
        var verifying = TLSConfiguration.makeClientConfiguration()
        if let path = configuration.trustRoots {
            verifying.additionalTrustRoots = [.certificates(try certificates(at: path))]
        }
        var trusting = TLSConfiguration.makeClientConfiguration()
        trusting.certificateVerification = .none
        return (Self(verifying, configuration.timeout), Self(trusting, configuration.timeout))
    }

    private init(_ tls: TLSConfiguration, _ timeout: Duration) {
        self.init(
            tlsConfiguration: tls,
            redirectConfiguration: .disallow,
            // Who does not even accept a connection is not waited for longer than the whole may take.
            timeout: Timeout(connect: TimeAmount(timeout)),
            // The limit is on the plain file, however it comes.
            decompression: .enabled(limit: .size(AssociationFile.maximumSize))
        )
        // A file is fetched once a week: a connection that is kept until then would be a dead one.
        maximumUsesPerConnection = 1
        httpVersion = .http1Only
        connectionPool.retryConnectionEstablishment = false
    }

    private static func certificates(at path: String) throws(AssociationFailure) -> [NIOSSLCertificate] {
        do {
            let certificates = try NIOSSLCertificate.fromPEMFile(path)
            if !certificates.isEmpty { return certificates }
        } catch {
            // What is thrown tells a missing file from one without certificates by numbers alone.
        }
        throw AssociationFailure(
            code: .unreadable,
            message: "'\(path.excerpt)' cannot be read as a PEM file of certificates to trust"
        )
    }
}
