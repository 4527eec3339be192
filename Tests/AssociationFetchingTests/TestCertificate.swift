import NIOSSL
import WaypostTestSupport

/// A certificate that nobody but itself has signed, made for a test.
struct TestCertificate: Sendable {
    private let folder: ScratchFolder

    /// Makes a certificate for `names`, such as `DNS:localhost`.
    init(_ names: String) async throws {
        folder = try ScratchFolder()
        let kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        let content = ["-subj", "/CN=Waypost test", "-addext", "subjectAltName=\(names)"]
        let files = ["-keyout", folder.path(of: "key.pem"), "-out", folder.path(of: "certificate.pem")]
        _ = try await ExternalCommand.run(["openssl", "req"] + kind + content + files)
    }

    /// The path of the certificate.
    var path: String { folder.path(of: "certificate.pem") }

    /// What a server with the certificate needs.
    var serverConfiguration: TLSConfiguration {
        get throws {
            let chain = try NIOSSLCertificate.fromPEMFile(path)
            let key = try NIOSSLPrivateKey(file: folder.path(of: "key.pem"), format: .pem)
            return .makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(key)
            )
        }
    }
}
