internal import COpenSSL

/// A key of OpenSSL, which is freed with the last reference.
///
/// It is `Sendable` because nothing changes it, and OpenSSL lets any number of threads use a key that nothing changes.
package final class KeyReference: @unchecked Sendable {
    /// The `EVP_PKEY`.
    package let pointer: OpaquePointer

    /// Takes a key, which it frees.
    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// Takes a key if it is one on P-256 that passes a check of OpenSSL, and frees any other.
    convenience init?(ofP256 pointer: OpaquePointer, check: (OpaquePointer?) -> Int32) {
        self.init(pointer)
        let context = EVP_PKEY_CTX_new(pointer, nil)
        defer {
            EVP_PKEY_CTX_free(context)
            ERR_clear_error()
        }
        var (name, count) = ([CChar](repeating: 0, count: 32), 0)
        guard EVP_PKEY_get_group_name(pointer, &name, name.count, &count) == 1,
            name.prefix(count).elementsEqual("prime256v1".utf8.map { CChar($0) }), check(context) == 1
        else { return nil }
    }

    /// Creates a random key.
    ///
    /// - Parameters:
    ///   - algorithm: the algorithm, as OpenSSL calls it.
    ///   - configure: sets the parameters of the key.
    convenience init(random algorithm: String, configure: (OpaquePointer?) -> Void) {
        let context = EVP_PKEY_CTX_new_from_name(nil, algorithm, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        EVP_PKEY_keygen_init(context)
        configure(context)
        EVP_PKEY_generate(context, &key)
        guard let key else { preconditionFailure("OpenSSL has no random numbers or no memory for a key") }
        self.init(key)
    }

    /// The private key in PEM (PKCS #8), without a final line break.
    package var pem: String {
        PEMText.write { PEM_write_bio_PKCS8PrivateKey($0, pointer, nil, nil, 0, nil, nil) }
    }

    deinit {
        EVP_PKEY_free(pointer)
    }
}
