internal import COpenSSL

/// A private RSA key of 2,048 bits, for a certificate.
package struct RSAPrivateKey: Sendable {
    /// The key, as OpenSSL has it.
    package let reference: KeyReference

    /// Creates a random key, which takes about a tenth of a second.
    package init() {
        reference = KeyReference(random: "RSA") { EVP_PKEY_CTX_set_rsa_keygen_bits($0, 2_048) }
    }
}
