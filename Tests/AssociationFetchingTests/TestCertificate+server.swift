import NIOSSL
import WaypostTestSupport

extension TestCertificate {
    /// The configuration of a TLS server with the certificate.
    var serverConfiguration: TLSConfiguration {
        get throws {
            let chain = try NIOSSLCertificate.fromPEMFile(path)
            let key = try NIOSSLPrivateKey(file: keyPath, format: .pem)
            return .makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(key)
            )
        }
    }
}
