@testable import LocalAuthority

extension FuzzTarget {
    /// The file of the authorities that sign provider certificates, or of an authority's certificate.
    static let authorityFiles = FuzzTarget(
        name: "authority-files",
        summary: "files of authorities; one that is accepted has only authorities, and a refusal names the file"
    ) { bytes in
        let folder = ScratchMemory()
        let path = folder.write(Array(bytes), to: "ca.pem")
        do throws(AuthorityFolder.FolderError) {
            _ = try ProviderAuthorities(path: path)
            let certificates = Certificate.all(inPEM: String(decoding: bytes, as: UTF8.self))
            let areAuthorities = !certificates.isEmpty && certificates.allSatisfy(\.isAuthority)
            promise(areAuthorities, "only authorities are trusted", found: certificates.map(\.subject))
        } catch {
            promise(error.description.hasPrefix("\(path): "), "an error names the file", found: error)
        }
        guard let pem = AuthorityFolder(path: folder.path).authorityCertificate else { return }
        let again = Certificate.all(inPEM: pem)
        promise(again.count == 1 && again.first?.pem == pem, "a certificate is the same when it is read", found: pem)
    }
}
