internal import COpenSSL

/// A private RSA key of 2,048 bits, for a certificate.
package struct RSAPrivateKey: Sendable {
    /// The key, as OpenSSL has it.
    package let reference: KeyReference

    /// Creates a random key, which takes about a tenth of a second.
    package init() {
        let context = EVP_PKEY_CTX_new_from_name(nil, "RSA", nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        EVP_PKEY_keygen_init(context)
        EVP_PKEY_CTX_set_rsa_keygen_bits(context, 2_048)
        EVP_PKEY_generate(context, &key)
        guard let key else { preconditionFailure("OpenSSL has no random numbers or no memory for a key") }
        reference = KeyReference(key)
    }
}
