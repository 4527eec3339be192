internal import NIOCore
internal import NIOSSL

/// The courier listener's TLS, where it has any.
struct CourierSecurity: Sendable {
    private let context: NIOSSLContext?

    /// Reads the certificate and the key.
    ///
    /// - Throws: `StartFault.cannotUseCertificate`.
    init(_ files: CourierTLS?) throws(StartFault) {
        guard let files else {
            context = nil
            return
        }
        let certificates: [NIOSSLCertificate]
        let key: NIOSSLPrivateKey
        do {
            certificates = try NIOSSLCertificate.fromPEMFile(files.certificate)
        } catch {
            throw .cannotUseCertificate(files.certificate, reason: "no certificate in PEM can be read: \(error)")
        }
        do {
            key = try NIOSSLPrivateKey(file: files.key, format: .pem)
        } catch {
            throw .cannotUseCertificate(files.key, reason: "no private key in PEM can be read: \(error)")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        do {
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw .cannotUseCertificate(files.certificate, reason: "it does not go with its key: \(error)")
        }
    }

    /// Adds what a connection needs, before anything else is added.
    func secure(_ pipeline: ChannelPipeline.SynchronousOperations) throws {
        guard let context else { return }
        try pipeline.addHandler(NIOSSLServerHandler(context: context))
    }
}
