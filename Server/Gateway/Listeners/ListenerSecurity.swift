internal import NIOCore
internal import NIOSSL

/// The TLS of a listener, if it uses TLS.
struct ListenerSecurity: Sendable {
    /// The configuration for the listener's connections; `nil` for no TLS.
    let configuration: TLSConfiguration?

    private let context: NIOSSLContext?

    /// Whether clients are asked for a certificate, which is optional.
    private let asksForCertificates: Bool

    /// Reads the certificate and the key.
    ///
    /// - Parameters:
    ///   - files: the paths of both; `nil` for no TLS.
    ///   - protocols: the protocols that clients may choose from (ALPN, RFC 7301).
    ///   - asksForCertificates: whether clients are asked for a certificate. TLS accepts any certificate; an invalid
    ///     one is refused later in HTTP.
    /// - Throws: `GatewayStartError.cannotUseCertificate` if a file cannot be used.
    init(_ files: TLSFiles?, protocols: [String], asksForCertificates: Bool = false) throws(GatewayStartError) {
        self.asksForCertificates = asksForCertificates
        guard let files else {
            configuration = nil
            context = nil
            return
        }
        let certificates: [NIOSSLCertificate]
        let key: NIOSSLPrivateKey
        do {
            certificates = try NIOSSLCertificate.fromPEMFile(files.certificate)
        } catch {
            throw .cannotUseCertificate(files.certificate, reason: "cannot read a certificate in PEM: \(error)")
        }
        do {
            key = try NIOSSLPrivateKey(file: files.key, format: .pem)
        } catch {
            throw .cannotUseCertificate(files.key, reason: "cannot read a private key in PEM: \(error)")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        // A disconnected client does not close TLS, so waiting for it is limited.
        configuration.shutdownTimeout = .seconds(1)
        configuration.applicationProtocols = protocols
        if asksForCertificates { configuration.certificateVerification = .optionalVerification }
        self.configuration = configuration
        do {
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw .cannotUseCertificate(files.certificate, reason: "the certificate does not match its key: \(error)")
        }
    }

    /// Adds the TLS handler to a connection; call it before any other handler is added.
    func secure(_ pipeline: ChannelPipeline.SynchronousOperations) throws {
        guard let context else { return }
        guard asksForCertificates else { return try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
        let handler = NIOSSLServerHandler(context: context) { _, verdict in verdict.succeed(.certificateVerified) }
        try pipeline.addHandler(handler)
    }
}
