import Cryptography

extension FuzzTarget {
    /// A private key in PEM.
    static let privateKeys = FuzzTarget(
        name: "private-keys",
        summary: "private keys, also of Apple's .p8 files; one that is accepted is written, read, and signs"
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        guard let key = P256PrivateKey(pem: text) else { return }
        promise(text.contains("-----BEGIN "), "a key is in PEM", found: text)
        promise(P256PrivateKey(pem: key.pem)?.pem == key.pem, "a key is the same when it is written and read")
        let message = Array("Clown Town".utf8)
        guard let publicKey = P256PublicKey(pem: key.publicKey.pem), let signature = try? key.signature(of: message)
        else { return promise(false, "a key has a public key, and signs") }
        promise(publicKey.isValid(signature, of: message), "the public key verifies what the key signed")
        promise(!publicKey.isValid(signature, of: message + [0x21]), "a signature is of one message")
    }
}
