import NIOSSL
import WaypostTestSupport

extension TestCertificate {
    /// What a server with the certificate needs.
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
