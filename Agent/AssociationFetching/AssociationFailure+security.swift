internal import Foundation
internal import NIOSSL
internal import UniversalLinks
internal import WaypostSchema

extension AssociationFailure {
    /// Says why there was no secure connection to be had.
    init(insecure error: any Error) {
        self.init(code: .untrusted, message: Self.message(insecure: error))
    }

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
}
