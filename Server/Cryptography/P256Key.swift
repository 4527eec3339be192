internal import COpenSSL

/// A private key on the curve P-256, which signs with ECDSA and SHA-256 (ES256, RFC 7518, section 3.4).
package struct P256PrivateKey: Sendable {
    /// The key, as OpenSSL has it.
    package let reference: KeyReference

    /// Creates a random key.
    package init() {
        reference = KeyReference(random: "EC") { EVP_PKEY_CTX_set_group_name($0, "P-256") }
    }

    /// Reads a key in PEM (PKCS #8, or RFC 5915); `nil` if the text is not an unencrypted key on P-256.
    package init?(pem: String) {
        let key = PEMText.read(pem) { PEM_read_bio_PrivateKey($0, nil, PEMText.noPassword, nil) }
        guard let reference = key.flatMap({ KeyReference(ofP256: $0, check: EVP_PKEY_pairwise_check) }) else {
            return nil
        }
        self.reference = reference
    }

    /// The key in PEM (PKCS #8), without a final line break.
    package var pem: String {
        reference.pem
    }

    /// The public key.
    package var publicKey: P256PublicKey {
        P256PublicKey(reference: reference)
    }

    /// Returns the signature of a message.
    ///
    /// - Throws: `CryptographyError` if OpenSSL has no random numbers.
    package func signature(
        of message: [UInt8],
        _ digest: SignatureDigest = .sha256
    ) throws(CryptographyError) -> P256Signature {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var count = P256Signature.maximumSize
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSignInit(context, nil, digest.algorithm, nil, reference.pointer) == 1,
            EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        else { throw CryptographyError() }
        return P256Signature(encoded: Array(signature.prefix(count)))
    }
}

/// The digests of ECDSA signatures.
package enum SignatureDigest: Sendable {
    case sha256
    case sha512

    fileprivate var algorithm: OpaquePointer? {
        switch self {
        case .sha256: EVP_sha256()
        case .sha512: EVP_sha512()
        }
    }
}

/// A public key on the curve P-256.
package struct P256PublicKey: Sendable {
    fileprivate let reference: KeyReference

    fileprivate init(reference: KeyReference) {
        self.reference = reference
    }

    /// Reads a key in PEM (`BEGIN PUBLIC KEY`); `nil` if the text is not a key on P-256.
    package init?(pem: String) {
        let key = PEMText.read(pem) { PEM_read_bio_PUBKEY($0, nil, PEMText.noPassword, nil) }
        guard let reference = key.flatMap({ KeyReference(ofP256: $0, check: EVP_PKEY_public_check) }) else {
            return nil
        }
        self.reference = reference
    }

    /// The key in PEM, without a final line break.
    package var pem: String {
        PEMText.write { PEM_write_bio_PUBKEY($0, reference.pointer) }
    }

    /// Returns whether a signature of a message was made with the private key.
    package func isValid(
        _ signature: P256Signature,
        of message: [UInt8],
        _ digest: SignatureDigest = .sha256
    ) -> Bool {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        let encoded = signature.der
        return EVP_DigestVerifyInit(context, nil, digest.algorithm, nil, reference.pointer) == 1
            && EVP_DigestVerify(context, encoded, encoded.count, message, message.count) == 1
    }
}
