internal import COpenSSL

/// A SHA-256 digest of bytes that come in chunks (FIPS 180-4).
package final class SHA256 {
    private let context = EVP_MD_CTX_new()

    /// Creates the digest of no bytes.
    package init() {
        precondition(EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1, "OpenSSL has no memory for a digest")
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    /// Adds bytes.
    package func update(_ bytes: [UInt8]) {
        EVP_DigestUpdate(context, bytes, bytes.count)
    }

    /// Returns the digest of all bytes, 32 bytes; nothing may be added after that.
    package func finish() -> [UInt8] {
        Array(unsafeUninitializedCapacity: 32) { digest, count in
            EVP_DigestFinal_ex(context, digest.baseAddress, nil)
            count = 32
        }
    }

    /// Returns the digest of bytes, 32 bytes.
    package static func hash(of bytes: [UInt8]) -> [UInt8] {
        let digest = SHA256()
        digest.update(bytes)
        return digest.finish()
    }
}
