internal import COpenSSL

/// An ECDSA signature with a key on P-256.
package struct P256Signature: Sendable {
    /// The maximum size in DER.
    static let maximumSize = 72

    /// The signature in DER, a sequence of two numbers (RFC 3279, section 2.2.3).
    package let der: [UInt8]

    /// Creates the value from a signature that OpenSSL encoded.
    init(encoded: [UInt8]) {
        der = encoded
    }

    /// Reads a signature in DER; `nil` if the bytes are not a signature.
    package init?(der: [UInt8]) {
        guard let (r, s) = Self.numbers(in: der) else { return nil }
        self.init(raw: r + s)
    }

    /// Reads a signature as two numbers of 32 bytes (RFC 7518, section 3.4); `nil` if the bytes are not a signature.
    package init?(raw: [UInt8]) {
        guard raw.count == 64, let signature = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(signature) }
        ECDSA_SIG_set0(signature, BN_bin2bn(raw, 32, nil), BN_bin2bn(Array(raw[32...]), 32, nil))
        self.init(
            encoded: Array(unsafeUninitializedCapacity: Self.maximumSize) { bytes, count in
                var end = bytes.baseAddress
                count = Int(max(i2d_ECDSA_SIG(signature, &end), 0))
            }
        )
    }

    /// The signature as two numbers of 32 bytes.
    package var raw: [UInt8] {
        Self.numbers(in: der).map { $0 + $1 } ?? []
    }

    /// Returns the two numbers of a signature in DER, 32 bytes each.
    private static func numbers(in der: [UInt8]) -> ([UInt8], [UInt8])? {
        der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            guard let signature = d2i_ECDSA_SIG(nil, &next, bytes.count) else { return nil }
            defer { ECDSA_SIG_free(signature) }
            guard next == bytes.baseAddress.map({ $0 + bytes.count }),
                let r = number(ECDSA_SIG_get0_r(signature)), let s = number(ECDSA_SIG_get0_s(signature))
            else { return nil }
            return (r, s)
        }
    }

    /// Returns a number of at most 32 bytes.
    private static func number(_ number: OpaquePointer?) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 32)
        return BN_bn2binpad(number, &bytes, 32) == 32 ? bytes : nil
    }
}
