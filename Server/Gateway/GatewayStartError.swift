internal import Foundation
package import LocalService
internal import NIOCore

/// The errors that keep a gateway from starting.
package enum GatewayStartError: Error, Sendable, Equatable {
    /// The address is not a loopback address, and there is neither TLS nor authentication to protect another.
    case notLoopback(String)

    /// Another process listens on the port.
    case portInUse(String)

    /// The system refuses to create the listener.
    case cannotListen(String)

    /// The store cannot be opened.
    case cannotOpenStore(String)

    /// The provider listener has no certificate.
    case noProviderCertificate

    /// A listener's certificate or key cannot be used.
    case cannotUseCertificate(String, reason: String)

    /// There is no authority to sign the provider listener's certificate, and none can be created.
    case cannotUseAuthority(String)

    /// There is no administrative token, or other users can read it.
    case cannotUseAdminToken(String)

    /// The ready file cannot be written.
    case cannotWriteReadyFile(ReadyFileError)

    /// Creates the error for `error`, which occurred while binding to `address`.
    init(_ error: IOError, binding address: String) {
        self = error.errnoCode == EADDRINUSE ? .portInUse(address) : .cannotListen("\(address): \(error)")
    }
}

extension GatewayStartError: CustomStringConvertible {
    /// A human-readable description, with the accepted values.
    package var description: String {
        switch self {
        case .notLoopback(let host):
            "'\(host)' is not a loopback address; in this version, "
                + "only 127.0.0.1, ::1 and localhost are accepted"
        case .portInUse(let address):
            "\(address) is in use by another process; choose another port, or 0 for any free one"
        case .cannotOpenStore(let reason): reason
        case .cannotListen(let reason): "cannot listen: \(reason)"
        case .noProviderCertificate:
            "the provider listener uses TLS and needs a certificate and its key; the plaintext listener needs neither"
        case .cannotUseCertificate(let path, let reason): "\(path): \(reason)"
        case .cannotUseAdminToken(let reason), .cannotUseAuthority(let reason): reason
        case .cannotWriteReadyFile(let error): error.description
        }
    }
}
