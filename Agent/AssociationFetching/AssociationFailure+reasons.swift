internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPCompression
internal import NIOPosix
internal import NIOSSL
internal import TextBasics
internal import UniversalLinks
internal import WaypostSchema

extension AssociationFailure {
    /// The phase in which an exchange failed.
    enum Phase {
        /// Before the response head.
        case connection

        /// After the response head.
        case body
    }

    static let timedOut = AssociationFailure(
        code: .timedOut,
        message: "the whole file did not arrive in time; devices do not wait long, so serve it as a static file"
    )

    static let canceled = AssociationFailure(code: .timedOut, message: "the request for the file was canceled")

    private static let connectionClosed = unreachable("the server closed the connection before the file was complete")

    init(_ error: DevelopmentServerError) {
        self.init(code: error.problem == .insecure ? .untrusted : .unreachable, message: "\(error)")
    }

    /// Creates the failure for an error of the connection.
    init(during phase: Phase, _ error: any Error) {
        switch error {
        case is CancellationError: self = .canceled
        case let error as HTTPClientError: self.init(error)
        case let error as NIOConnectionError: self.init(error)
        case let error as IOError: self.init(error)
        // After the response head, TLS works, so the error is that the connection was closed early.
        case is NIOSSLError where phase == .body: self = .connectionClosed
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
            self.init(code: .untrusted, message: Self.tlsMessage(for: error))
        case HTTPParserError.invalidEOFState: self = .connectionClosed
        case is HTTPParserError: self = .unreachable("the server's response is not HTTP")
        case is ChannelError: self = .connectionClosed
        case NIOHTTPDecompression.DecompressionError.limit: self = .tooLarge(nil)
        case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
            let message = "the file's compression is invalid; serve the file uncompressed, or with valid gzip"
            self.init(code: .notJSON, message: message)
        default: self = .unreachable("\(error)".safe(for: .excerpt))
        }
    }

    static func unreachable(_ message: String) -> AssociationFailure {
        AssociationFailure(code: .unreachable, message: message)
    }

    private init(_ error: HTTPClientError) {
        let timeouts: [HTTPClientError] = [
            .connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout, .readTimeout, .deadlineExceeded,
        ]
        switch error {
        case _ where timeouts.contains(error): self = .timedOut
        case .remoteConnectionClosed: self = .connectionClosed
        case .cancelled, .alreadyShutdown: self = .canceled
        default: self = .unreachable("\(error)".safe(for: .excerpt))
        }
    }

    private init(_ error: NIOConnectionError) {
        let ioErrors = error.connectionErrors.compactMap { $0.error as? IOError }
        guard let firstError = ioErrors.first else {
            // All errors of the system are `IOError`; the only other one is that an address did not answer in time.
            let hasAddresses = !error.connectionErrors.isEmpty
            self = hasAddresses ? .timedOut : .unreachable("the host '\(error.host.safe(for: .excerpt))' is not known")
            return
        }
        // If some addresses of the name have no network on this machine, a refused connection tells more.
        self.init(ioErrors.first { $0.errnoCode == ECONNREFUSED } ?? firstError)
    }

    private init(_ error: IOError) {
        let reason = String(cString: strerror(error.errnoCode))
        self = error.errnoCode == ETIMEDOUT ? .timedOut : .unreachable("the server cannot be reached: \(reason)")
    }

    /// Returns the message for an error that prevented a TLS connection.
    private static func tlsMessage(for error: any Error) -> String {
        let hostnameMessage = "the server's certificate is not for this name; serve a certificate for it"
        if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname { return hostnameMessage }
        // BoringSSL names its reasons in capitals, in a text that also has the place in its sources.
        let reason = "\(error)".components(separatedBy: "OPENSSL_internal:").dropFirst().last?.prefix {
            !$0.isWhitespace
        }
        switch reason {
        case "CERTIFICATE_VERIFY_FAILED":
            return "the server's certificate is not trusted or not valid now; serve one that devices trust"
        case "WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST":
            return "the server does not use TLS on this port; serve the file over https"
        case let reason?: return "the TLS connection failed (\(String(reason).safe(for: .excerpt)))"
        case nil: return "the TLS connection failed (\("\(error)".safe(for: .excerpt)))"
        }
    }

    /// The supported content codings.
    private static let supportedCodings = ["identity", "gzip", "deflate"]

    /// Checks that the response head announces a file that a device accepts.
    static func checkResponseHead(_ status: HTTPResponseStatus, _ headers: HTTPHeaders) throws(AssociationFailure) {
        if (300..<400).contains(status.code) { throw redirection(status, to: headers.first(name: "location")) }
        guard status == .ok else {
            let message = "the server answers with status \(status.code); a device accepts only 200"
            throw AssociationFailure(code: .badStatus, message: message + reasonsOfCDN(in: headers))
        }
        let coding = headers[canonicalForm: "content-encoding"].joined(separator: ", ")
        guard coding.isEmpty || supportedCodings.contains(coding.lowercased()) else {
            let message =
                "the file has the content coding '\(coding.safe(for: .excerpt))'; serve it uncompressed or with gzip"
            throw AssociationFailure(code: .notJSON, message: message)
        }
        if let size = headers.first(name: "content-length").flatMap({ Int($0) }), size > AssociationFile.maximumSize {
            throw tooLarge(size)
        }
    }

    /// The headers in which Apple's CDN says why it has no file.
    private static let reasonHeaders = ["Apple-Failure-Reason", "Apple-Failure-Details"]

    private static func reasonsOfCDN(in headers: HTTPHeaders) -> String {
        let reasons = reasonHeaders.compactMap { name in
            headers.first(name: name).map { "\(name): \($0.safe(for: .excerpt))" }
        }
        return reasons.isEmpty ? "" : " (\(reasons.joined(separator: ", ")))"
    }

    private static func redirection(_ status: HTTPResponseStatus, to location: String?) -> AssociationFailure {
        let target = location.map { "to \($0.safe(for: .excerpt))" } ?? "without a location"
        return AssociationFailure(
            code: .redirected,
            message:
                "the server redirects (\(status.code)) \(target); devices follow no redirects, so serve the file here"
        )
    }
}
