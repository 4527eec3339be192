internal import Foundation
package import LocalService
internal import NIOCore

/// The errors that keep a gateway from starting.
package enum GatewayStartError: Error, Sendable, Equatable {
    /// Other machines could reach a listener that lacks a protection.
    case unprotected(ListenAddress, missing: Protection)

    /// A protection that a listener needs if other machines can reach it.
    package enum Protection: Sendable, Equatable {
        /// A loopback address: the listener never uses TLS, so only this machine may reach it.
        case loopbackOnly

        /// TLS, which these options turn on.
        case tls(options: String)

        /// Authentication of providers and administrators.
        case authentication

        /// An allowed host: the name by which clients call a listener on a wildcard address.
        case allowedHost
    }

    /// Another process listens on the port.
    case portInUse(String, option: String)

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

    /// Creates the error for `error`, which occurred while a listener was bound to `address`.
    init(_ error: IOError, binding listener: GatewayListener, to address: ListenAddress) {
        let place = "the \(listener.name) listener's address \(address)"
        self =
            error.errnoCode == EADDRINUSE
            ? .portInUse(place, option: listener.option) : .cannotListen("\(place): \(error)")
    }
}

extension GatewayStartError: CustomStringConvertible {
    /// A human-readable description, with the accepted values.
    package var description: String {
        switch self {
        case .unprotected(let address, let protection):
            "other machines could reach \(address); \(protection.advice), or use a loopback address such as 127.0.0.1"
        case .portInUse(let address, let option):
            "\(address) is in use by another process; choose another port with \(option), or 0 for any free one"
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

extension GatewayStartError.Protection {
    fileprivate var advice: String {
        switch self {
        case .loopbackOnly: "this listener has no TLS: use another one"
        case .tls(let options): "set \(options)"
        case .authentication: "set --authentication to token or apns"
        case .allowedHost: "name the host by which clients call it with --allowed-host"
        }
    }
}
