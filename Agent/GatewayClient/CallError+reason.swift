internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOPosix
internal import NIOSSL

extension CallError {
    /// Returns why a connection failed or ended, in words, for an error of the libraries below.
    package static func reason(of error: any Error) -> String {
        switch error {
        case let error as HTTPClientError where error == .connectTimeout: "the connection timed out"
        case ChannelError.connectTimeout: "the connection timed out"
        case let error as HTTPClientError where error == .deadlineExceeded: "no answer arrived in time"
        case let error as HTTPClientError where [.invalidURL, .emptyScheme, .emptyHost].contains(error):
            "this is not a URL such as http://127.0.0.1:7330"
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { reason(of: $0.error) } ?? "the host is not known"
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case NIOSSLError.handshakeFailed(let error) where "\(error)".contains("CERTIFICATE_VERIFY_FAILED"):
            "its certificate is not trusted; set SSL_CERT_FILE to a file with the authority that signed it, in PEM"
        case is NIOSSLError, is BoringSSLError: "TLS failed; the server may speak HTTP without TLS (http://)"
        case let error as HTTPClientError where error == .remoteConnectionClosed: "it closed the connection"
        default: "the connection failed"
        }
    }
}
