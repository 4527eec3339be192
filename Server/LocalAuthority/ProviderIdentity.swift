internal import COpenSSL
internal import Cryptography

/// The types of keys that a provider's certificate can have.
package enum ProviderKeyType: String, Sendable, CaseIterable {
    /// RSA with 2,048 bits, as in Apple's certificates.
    case rsa

    /// The curve P-256.
    case ec

    /// Returns a random key.
    func makeKey() -> KeyReference {
        switch self {
        case .rsa: RSAPrivateKey().reference
        case .ec: P256PrivateKey().reference
        }
    }
}

/// The formats of a file that contains a provider's certificate and its key.
package enum ProviderCertificateFormat: Sendable, Equatable {
    /// PEM, without encryption.
    case pem

    /// PKCS #12 (RFC 7292), as Apple's tools export certificates.
    ///
    /// The algorithms are AES-256 and SHA-256, or, for older readers, triple DES and SHA-1.
    case pkcs12(password: String, isLegacy: Bool)
}

/// A provider's certificate with its private key.
struct ProviderIdentity: Sendable {
    var certificate: Certificate
    var key: KeyReference

    /// The number of rounds that derive a key from a password, as of OpenSSL's own command.
    private static let rounds: Int32 = 2_048

    /// Returns the content of a file.
    ///
    /// - Throws: `CryptographyError`, which is not expected.
    func content(in format: ProviderCertificateFormat) throws(CryptographyError) -> [UInt8] {
        switch format {
        case .pem: Array((certificate.pem + key.pem + "\n").utf8)
        case .pkcs12(let password, let isLegacy): try pkcs12(password, isLegacy: isLegacy)
        }
    }

    private func pkcs12(_ password: String, isLegacy: Bool) throws(CryptographyError) -> [UInt8] {
        let algorithm = isLegacy ? NID_pbe_WithSHA1And3_Key_TripleDES_CBC : NID_aes_256_cbc
        // -1: without a signature, which follows, because its digest cannot be chosen here.
        let (name, rounds) = ("waypost", Self.rounds)
        let store = PKCS12_create(
            password,
            name,
            key.pointer,
            certificate.pointer,
            nil,
            algorithm,
            algorithm,
            rounds,
            -1,
            0
        )
        guard let store else { throw CryptographyError() }
        defer { PKCS12_free(store) }
        let digest = isLegacy ? EVP_sha1() : EVP_sha256()
        guard PKCS12_set_mac(store, password, -1, nil, 0, rounds, digest) == 1 else { throw CryptographyError() }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = i2d_PKCS12(store, &bytes)
        guard count > 0, let bytes else { throw CryptographyError() }
        defer { CRYPTO_free(bytes, nil, 0) }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
}
