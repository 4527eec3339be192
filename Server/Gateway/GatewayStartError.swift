internal import Foundation
package import LocalService
internal import NIOCore

/// Why a gateway cannot start.
package enum GatewayStartError: Error, Sendable, Equatable {
    /// The address is not a loopback address, and there is neither TLS nor authentication to protect another.
    case notLoopback(String)

    /// Something else listens on the port.
    case portInUse(String)

    /// The system does not let a listener be made.
    case cannotListen(String)

    /// The store cannot be opened.
    case cannotOpenStore(String)

    /// The provider listener has no certificate.
    case noProviderCertificate

    /// A listener's certificate or key cannot be used.
    case cannotUseCertificate(String, reason: String)

    /// There is no authority to sign the provider listener's certificate, and none can be made.
    case cannotUseAuthority(String)

    /// There is no administrative token, or it is not kept as a secret is.
    case cannotUseAdminToken(String)

    /// The ready file cannot be written.
    case cannotWriteReadyFile(ReadyFileError)

    /// What `error` means when it comes of binding to `address`.
    init(_ error: IOError, binding address: String) {
        self = error.errnoCode == EADDRINUSE ? .portInUse(address) : .cannotListen("\(address): \(error)")
    }
}

extension GatewayStartError: CustomStringConvertible {
    /// A sentence for a person, with what would be accepted.
    package var description: String {
        switch self {
        case .notLoopback(let host):
            "'\(host)' is not a loopback address; without TLS and authentication, which this version does not have, "
                + "only 127.0.0.1, ::1 and localhost are accepted"
        case .portInUse(let address):
            "\(address) is in use by another process; choose another port, or 0 for any free one"
        case .cannotOpenStore(let reason): reason
        case .cannotListen(let reason): "cannot listen: \(reason)"
        case .noProviderCertificate:
            "the provider listener speaks TLS and needs a certificate and its key; without, there is the plaintext one"
        case .cannotUseCertificate(let path, let reason): "\(path): \(reason)"
        case .cannotUseAdminToken(let reason), .cannotUseAuthority(let reason): reason
        case .cannotWriteReadyFile(let error): error.description
        }
    }
}
