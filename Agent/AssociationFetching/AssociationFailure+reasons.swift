internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPCompression
internal import NIOPosix
internal import NIOSSL
internal import UniversalLinks
internal import WaypostSchema

extension AssociationFailure {
    /// How far an exchange had come.
    enum Stage {
        /// No answer had begun.
        case connection

        /// The head of the answer was there.
        case body
    }

    static let timedOut = AssociationFailure(
        code: .timedOut,
        message: "the whole file did not come in time; devices do not wait long, so serve it as a static file"
    )

    static let canceled = AssociationFailure(code: .timedOut, message: "the file was no longer waited for")

    private static let closed = unreachable("the server closed the connection before the whole file had come")

    init(_ error: DevelopmentServerError) {
        self.init(code: error.problem == .insecure ? .untrusted : .unreachable, message: "\(error)")
    }

    /// Says what an error of the connection means for the file.
    init(during stage: Stage, _ error: any Error) {
        switch error {
        case is CancellationError: self = .canceled
        case let error as HTTPClientError: self.init(error)
        case let error as NIOConnectionError: self.init(error)
        case let error as IOError: self.init(error)
        // Once there is an answer, the secure connection was made: what it can still lack is its end.
        case is NIOSSLError where stage == .body: self = .closed
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
            self.init(code: .untrusted, message: Self.message(insecure: error))
        case HTTPParserError.invalidEOFState: self = .closed
        case is HTTPParserError: self = .unreachable("what the server sends is not HTTP")
        case is ChannelError: self = .closed
        case NIOHTTPDecompression.DecompressionError.limit: self = .tooLarge(nil)
        case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
            let message = "the file's compression is broken; serve it plainly, or with gzip done right"
            self.init(code: .notJSON, message: message)
        default: self = .unreachable("\(error)".excerpt)
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
        case .remoteConnectionClosed: self = .closed
        case .cancelled, .alreadyShutdown: self = .canceled
        default: self = .unreachable("\(error)".excerpt)
        }
    }

    private init(_ error: NIOConnectionError) {
        let reasons = error.connectionErrors.compactMap { $0.error as? IOError }
        guard let first = reasons.first else {
            // The only error that is not the system's: an address did not answer in time.
            let isKnown = !error.connectionErrors.isEmpty
            self = isKnown ? .timedOut : .unreachable("the host '\(error.host.excerpt)' is not known")
            return
        }
        // A name can have addresses of a kind that this machine has no network for.
        self.init(reasons.first { $0.errnoCode == ECONNREFUSED } ?? first)
    }

    private init(_ error: IOError) {
        let reason = String(cString: strerror(error.errnoCode))
        self = error.errnoCode == ETIMEDOUT ? .timedOut : .unreachable("the server cannot be reached: \(reason)")
    }

    /// Says why there was no secure connection to be had.
    private static func message(insecure error: any Error) -> String {
        let name = "the server's certificate is not for this name; serve one that names it"
        if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname { return name }
        // The library underneath names its reasons in capitals, in a text that has its place in its sources as well.
        let reason = "\(error)".components(separatedBy: "OPENSSL_internal:").dropFirst().last?.prefix {
            !$0.isWhitespace
        }
        switch reason {
        case "CERTIFICATE_VERIFY_FAILED":
            return "the server's certificate is not trusted or not valid now; serve one that devices trust"
        case "WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST":
            return "the server does not answer in TLS; serve the file over https"
        case let reason?: return "no secure connection could be made (\(String(reason).excerpt))"
        case nil: return "no secure connection could be made (\("\(error)".excerpt))"
        }
    }

    /// The codings of bodies that are undone.
    private static let codings = ["identity", "gzip", "deflate"]

    /// Checks that the head of an answer promises a file that a device reads.
    static func check(_ status: HTTPResponseStatus, _ headers: HTTPHeaders) throws(AssociationFailure) {
        if (300..<400).contains(status.code) { throw redirected(status, to: headers.first(name: "location")) }
        guard status == .ok else {
            let message = "the server answers with the status \(status.code); a device takes nothing but 200"
            throw AssociationFailure(code: .badStatus, message: message)
        }
        let coding = headers[canonicalForm: "content-encoding"].joined(separator: ", ")
        guard coding.isEmpty || codings.contains(coding.lowercased()) else {
            let message = "the server sends the file in the coding '\(coding.excerpt)'; serve it plainly or with gzip"
            throw AssociationFailure(code: .notJSON, message: message)
        }
        if let size = headers.first(name: "content-length").flatMap({ Int($0) }), size > AssociationFile.maximumSize {
            throw tooLarge(size)
        }
    }

    private static func redirected(_ status: HTTPResponseStatus, to location: String?) -> AssociationFailure {
        let target = location.map { "to \($0.excerpt)" } ?? "without saying where to"
        return AssociationFailure(
            code: .redirected,
            message:
                "the server redirects (\(status.code)) \(target); devices follow no redirect, so serve the file here"
        )
    }
}
