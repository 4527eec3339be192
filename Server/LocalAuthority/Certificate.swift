internal import COpenSSL
internal import Cryptography
internal import Foundation

/// A certificate (RFC 5280).
struct Certificate: Sendable {
    private let reference: Reference

    /// The minimum strength of a signature in bits: that of RSA with 2,048 bits, and of SHA-224 (NIST SP 800-57).
    private static let minimumStrength: Int32 = 112

    /// The `X509`.
    var pointer: OpaquePointer { reference.pointer }

    fileprivate init(_ pointer: OpaquePointer) {
        reference = Reference(pointer)
    }

    /// Reads a certificate in DER; `nil` if the bytes are not a certificate.
    init?(der: [UInt8]) {
        let pointer = der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            let pointer = d2i_X509(nil, &next, bytes.count)
            return pointer.map { ($0, isComplete: next == bytes.baseAddress.map { $0 + bytes.count }) }
        }
        guard let (pointer, isComplete) = pointer else { return nil }
        self.init(pointer)
        guard isComplete else { return nil }
    }

    /// Reads the certificates of a text in PEM, up to the first one that cannot be read.
    static func all(inPEM text: String) -> [Self] {
        PEMText.read(text) { stream in
            var certificates: [Self] = []
            while let next = PEM_read_bio_X509(stream, nil, PEMText.noPassword, nil) { certificates.append(Self(next)) }
            return certificates
        }
    }

    /// The certificate in PEM, with a final line break.
    var pem: String {
        PEMText.write { PEM_write_bio_X509($0, pointer) } + "\n"
    }

    /// The name of the subject, as text (RFC 4514).
    var subject: String {
        PEMText.write { X509_NAME_print_ex($0, X509_get_subject_name(pointer), 0, waypost_name_flags) }
    }

    /// The attribute `UID` of the subject (RFC 4519, section 2.39); `nil` if it has none.
    var userID: String? {
        let name = X509_get_subject_name(pointer)
        let entry = X509_NAME_get_entry(name, X509_NAME_get_index_by_NID(name, NID_userId, -1))
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = ASN1_STRING_to_UTF8(&bytes, X509_NAME_ENTRY_get_data(entry))
        guard count >= 0, let bytes else { return nil }
        defer { CRYPTO_free(bytes, nil, 0) }
        return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    }

    /// The time from which the certificate is valid; `nil` if it cannot be read.
    var notValidBefore: Date? { Self.date(X509_get0_notBefore(pointer)) }

    /// The time until which the certificate is valid; `nil` if it cannot be read.
    var notValidAfter: Date? { Self.date(X509_get0_notAfter(pointer)) }

    /// Whether the certificate has an identifier of its key, which the certificates that it signs can name.
    var hasKeyIdentifier: Bool {
        X509_get0_subject_key_id(pointer) != nil
    }

    /// Whether the certificate may sign others (section 4.2.1.9).
    var isAuthority: Bool {
        X509_get_extension_flags(pointer) & UInt32(EXFLAG_CA) != 0
    }

    /// Whether the certificate is for clients; one without an extended key usage is (section 4.2.1.12).
    var isForClients: Bool {
        X509_get_extended_key_usage(pointer) & UInt32(XKU_SSL_CLIENT | XKU_ANYEKU) != 0
    }

    /// Returns the content of the extension with an object identifier, such as `1.2.840.113635.100.6.3.1`; `nil` if the
    /// certificate has none.
    func content(ofExtension identifier: String) -> [UInt8]? {
        let object = OBJ_txt2obj(identifier, 1)
        defer { ASN1_OBJECT_free(object) }
        let nativeExtension = X509_get_ext(pointer, X509_get_ext_by_OBJ(pointer, object, -1))
        guard let content = X509_EXTENSION_get_data(nativeExtension) else { return nil }
        let count = Int(ASN1_STRING_length(content))
        return Array(UnsafeBufferPointer(start: ASN1_STRING_get0_data(content), count: count))
    }

    /// Returns whether the certificate is for a host, given by its name or address.
    func isValid(for host: String) -> Bool {
        Self.isAddress(host)
            ? X509_check_ip_asc(pointer, host, 0) == 1 : X509_check_host(pointer, host, 0, 0, nil) == 1
    }

    /// Returns whether a host is an IPv4 or IPv6 address.
    static func isAddress(_ host: String) -> Bool {
        let bytes = a2i_IPADDRESS(host)
        defer { ASN1_OCTET_STRING_free(bytes) }
        return bytes != nil
    }

    /// Whether the certificate is for a key.
    func matches(_ key: P256PrivateKey) -> Bool {
        X509_check_private_key(pointer, key.reference.pointer) == 1
    }

    /// Whether an authority, which the certificate names as its issuer, signed it directly, with a key and a digest
    /// that are strong enough.
    func isSigned(by authority: Certificate) -> Bool {
        var strength: Int32 = 0
        let key = X509_get0_pubkey(authority.pointer)
        return X509_NAME_cmp(X509_get_issuer_name(pointer), X509_get_subject_name(authority.pointer)) == 0
            && X509_get_signature_info(pointer, nil, nil, &strength, nil) == 1
            && min(strength, EVP_PKEY_get_security_bits(key)) >= Self.minimumStrength
            && X509_verify(pointer, key) == 1
    }

    private static func date(_ time: UnsafePointer<ASN1_TIME>?) -> Date? {
        var parts = tm()
        guard ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
        return Date(timeIntervalSince1970: TimeInterval(timegm(&parts)))
    }

    /// A certificate of OpenSSL, which is freed with the last reference.
    ///
    /// It is `Sendable` because nothing changes it but OpenSSL, which locks what it changes by itself.
    private final class Reference: @unchecked Sendable {
        let pointer: OpaquePointer

        init(_ pointer: OpaquePointer) {
            self.pointer = pointer
        }

        deinit {
            X509_free(pointer)
        }
    }
}

/// The contents of a certificate that is to be signed.
struct CertificateContents {
    /// An extension, in the syntax of OpenSSL's configuration files (x509v3_config(5)).
    struct Extension {
        /// The name, or the object identifier.
        let name: String

        let value: String
    }

    /// The serial number, as an unsigned number with the most significant byte first.
    var serialNumber: [UInt8]

    var notValidBefore: Date
    var notValidAfter: Date

    /// The attributes of the subject, with OpenSSL's numbers of their types.
    var subject: [(type: Int32, string: String)]

    var extensions: [Extension]

    /// Makes a certificate with these contents.
    ///
    /// - Parameters:
    ///   - key: the key that is certified.
    ///   - issuer: the certificate of the authority, or `nil` if the certificate signs itself.
    ///   - issuerKey: the key of the authority.
    /// - Returns: the certificate.
    /// - Throws: `CryptographyError`, which is not expected.
    func makeCertificate(
        for key: KeyReference,
        by issuer: Certificate?,
        with issuerKey: P256PrivateKey
    ) throws(CryptographyError) -> Certificate {
        guard let pointer = X509_new() else { throw CryptographyError() }
        let certificate = Certificate(pointer)
        let name = try subjectName()
        defer { X509_NAME_free(name) }
        let number = BN_bin2bn(serialNumber, Int32(serialNumber.count), nil)
        let serial = BN_to_ASN1_INTEGER(number, nil)
        defer {
            BN_free(number)
            ASN1_INTEGER_free(serial)
        }
        X509_set_version(pointer, Int(X509_VERSION_3))
        X509_set_serialNumber(pointer, serial)
        ASN1_TIME_set(X509_getm_notBefore(pointer), Int(notValidBefore.timeIntervalSince1970))
        ASN1_TIME_set(X509_getm_notAfter(pointer), Int(notValidAfter.timeIntervalSince1970))
        X509_set_subject_name(pointer, name)
        X509_set_issuer_name(pointer, X509_get_subject_name(issuer?.pointer ?? pointer))
        X509_set_pubkey(pointer, key.pointer)
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer?.pointer ?? pointer, pointer, nil, nil, 0)
        for item in extensions {
            guard let nativeExtension = X509V3_EXT_conf(nil, &context, item.name, item.value) else {
                throw CryptographyError()
            }
            defer { X509_EXTENSION_free(nativeExtension) }
            X509_add_ext(pointer, nativeExtension, -1)
        }
        guard X509_sign(pointer, issuerKey.reference.pointer, EVP_sha256()) > 0 else { throw CryptographyError() }
        return certificate
    }

    private func subjectName() throws(CryptographyError) -> OpaquePointer? {
        let name = X509_NAME_new()
        for (type, string) in subject {
            // If the type of the string is set, OpenSSL does not limit its length.
            let entry = X509_NAME_ENTRY_create_by_NID(nil, type, V_ASN1_UTF8STRING, string, Int32(string.utf8.count))
            defer { X509_NAME_ENTRY_free(entry) }
            guard X509_NAME_add_entry(name, entry, -1, 0) == 1 else {
                X509_NAME_free(name)
                throw CryptographyError()
            }
        }
        return name
    }
}
