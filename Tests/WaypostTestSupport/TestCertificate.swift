/// A self-signed certificate that openssl creates for a test.
///
/// Its files exist while a copy of this value does.
package struct TestCertificate: Sendable {
    private let folder: ScratchFolder

    /// Creates a certificate for `names`, such as `DNS:localhost`.
    package init(_ names: String) async throws {
        folder = try ScratchFolder()
        let kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        let content = ["-subj", "/CN=Waypost test", "-addext", "subjectAltName=\(names)"]
        let files = ["-keyout", keyPath, "-out", path]
        _ = try await ExternalCommand.run(["openssl", "req"] + kind + content + files)
    }

    /// The path of the certificate.
    package var path: String { folder.path(of: "certificate.pem") }

    /// The path of its private key.
    package var keyPath: String { folder.path(of: "key.pem") }
}
