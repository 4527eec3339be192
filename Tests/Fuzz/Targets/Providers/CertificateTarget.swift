import Cryptography
import WaypostSchema

@testable import LocalAuthority

extension FuzzTarget {
    /// A certificate, a public key or a signature in DER, or certificates or a key in PEM.
    static let certificates = FuzzTarget(
        name: "certificates",
        summary: "certificates and keys of providers; none can be forged, and signatures are the same in both forms"
    ) { input in
        let bytes = Array(input)
        if let certificate = Certificate(der: bytes) { check(certificate) }
        let text = String(decoding: bytes, as: UTF8.self)
        for certificate in Certificate.all(inPEM: text).prefix(4) { check(certificate) }
        if let key = P256PublicKey(pem: text) {
            promise(P256PublicKey(pem: key.pem) != nil, "a key can be written and read", found: key.pem)
        }
        checkSignatures(in: bytes)
    }

    /// The authority that has signed the seeds; nobody has its key.
    private static let authority: Certificate? = Certificate.all(
        inPEM: """
            -----BEGIN CERTIFICATE-----
            MIIBSDCB76ADAgECAgEBMAoGCCqGSM49BAMCMBkxFzAVBgNVBAMMDkZ1enogYXV0
            aG9yaXR5MCAXDTI2MDEwMTAwMDAwMFoYDzIwNTYwMTAxMDAwMDAwWjAZMRcwFQYD
            VQQDDA5GdXp6IGF1dGhvcml0eTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJlP
            MinpKBiFH3gY0CMG4RNSOGgsLDqm0kAQEanAKq5kAu0gWtmLlf0aDgfI2KlVBTzV
            XzCoQws1u560HfWd+pWjJjAkMBIGA1UdEwEB/wQIMAYBAf8CAQAwDgYDVR0PAQH/
            BAQDAgEGMAoGCCqGSM49BAMCA0gAMEUCIBDASszAwoBsedok2KfTfDD8KWHaI/F+
            FRlB2HnhlUpJAiEAg9ytPLVZvRrVSF37DjcBYwxgEQ0EPeOmzrrhmeg9W0Q=
            -----END CERTIFICATE-----
            """
    ).first

    /// Calls what reads a certificate.
    private static func check(_ certificate: Certificate) {
        guard let authority else { endUnprepared("the authority cannot be read") }
        _ = (certificate.subject, certificate.hasKeyIdentifier, certificate.isAuthority, certificate.isForClients)
        for host in ["clowntown.example", "127.0.0.1", "::1"] { _ = certificate.isValid(for: host) }
        if certificate.isSigned(by: authority) {
            let isSeed = [nil, "com.example.clowntown"].contains(certificate.userID)
            promise(isSeed, "only the authority signs certificates", found: certificate.userID as Any)
        }
        do throws(ProviderCertificate.CertificateError) {
            let contents = try ProviderCertificate(certificate, signedBy: authority)
            let topic = contents.topics.first?.rawValue
            promise(topic == certificate.userID, "the first topic is the UID", found: contents)
            promise(!contents.environments.isEmpty, "a certificate is for an environment", found: contents)
        } catch {
            promise(!error.description.isEmpty, "a certificate is refused for a reason")
        }
    }

    private static func checkSignatures(in bytes: [UInt8]) {
        if let signature = P256Signature(der: bytes) {
            promise(signature.raw.count == 64, "a signature has two numbers of 32 bytes", found: bytes)
            let again = P256Signature(raw: signature.raw)?.der
            promise(again == signature.der, "a signature has one form in DER", found: bytes)
        }
        let raw = Array(bytes.prefix(64))
        guard let signature = P256Signature(raw: raw) else { return }
        promise(signature.raw == raw, "a raw signature is the same after it was in DER", found: bytes)
    }
}
