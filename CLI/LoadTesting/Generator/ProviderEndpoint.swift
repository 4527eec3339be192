internal import Cryptography
internal import Foundation
internal import LocalService
internal import NIOSSL
package import WaypostSchema

/// The fields of a provider's requests that are the same for all requests of a load test at a time.
struct ProviderRequestTarget: Sendable {
    /// `http` or `https`.
    var scheme: String

    /// The host and the port (`:authority`, RFC 9113, section 8.3.1).
    var authority: String

    /// The provider token, as in the header `authorization`; `nil` for none.
    var authorization: String?

    /// The channel of messages to all devices; empty if there is none.
    var channel = ""
}

/// A gateway's provider listener, and the way in which a client authenticates itself there.
package struct ProviderEndpoint: Sendable {
    /// The error for an endpoint that cannot be used.
    package struct UnusableError: Error, Sendable, Equatable, CustomStringConvertible {
        /// The problem.
        package let description: String
    }

    /// The way in which a client authenticates itself.
    package enum Authentication: Sendable {
        case none

        /// With tokens that a key signs.
        case token(ProviderTokenKey)

        /// With the certificate and the key in a file.
        case certificate(String)
    }

    /// The authority that has signed the listener's certificate.
    package enum Trust: Sendable {
        /// Its certificate, in a file.
        case file(String)

        /// Its certificate, in PEM.
        case pem(String)
    }

    let address: ListenAddress

    /// The settings of TLS; `nil` without it.
    let tls: TLSConfiguration?

    private let authentication: Authentication

    /// Creates the endpoint.
    ///
    /// - Parameters:
    ///   - url: the base URL of the listener: `http` for HTTP/2 with prior knowledge, `https` for TLS.
    ///   - trustedAuthority: the authority that has signed the listener's certificate; `nil` for those that the system
    ///     trusts.
    ///   - authentication: how the client authenticates itself.
    /// - Throws: `UnusableError`.
    package init(
        _ url: String,
        trusting trustedAuthority: Trust?,
        _ authentication: Authentication
    ) throws(UnusableError) {
        let httpsAddress = ListenAddress(url: url, scheme: "https")
        guard let address = httpsAddress ?? ListenAddress(url: url) else {
            throw UnusableError(
                description:
                    "\(url): the provider API needs a URL such as http://127.0.0.1:7333 or https://localhost:7332"
            )
        }
        self.address = address
        self.authentication = authentication
        guard httpsAddress != nil else {
            if case .certificate = authentication {
                throw UnusableError(description: "\(url): certificates need TLS, so a URL that begins with https")
            }
            tls = nil
            return
        }
        var tls = TLSConfiguration.makeClientConfiguration()
        do {
            switch trustedAuthority {
            case .file(let path): tls.trustRoots = .file(path)
            case .pem(let text): tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(text.utf8)))
            case nil: break
            }
        } catch {
            throw UnusableError(description: "\(url): the gateway's authority is not a certificate in PEM")
        }
        tls.applicationProtocols = ["h2"]
        if case .certificate(let file) = authentication {
            do {
                tls.certificateChain = try NIOSSLCertificate.fromPEMFile(file).map { .certificate($0) }
                tls.privateKey = .privateKey(try NIOSSLPrivateKey(file: file, format: .pem))
            } catch {
                throw UnusableError(description: "\(file): has no certificate with its key, both in PEM")
            }
        }
        self.tls = tls
    }

    /// The base URL.
    var url: String {
        address.url(port: address.port, isSecure: tls != nil)
    }

    /// Whether the address is one of this machine.
    package var isLoopback: Bool {
        address.isLoopback
    }

    /// Returns the target of requests, with a provider token that is valid at a time.
    ///
    /// - Parameters:
    ///   - now: the time, in seconds since 1970.
    ///   - channel: the channel of messages to all devices, if any.
    /// - Returns: the target.
    /// - Throws: an error if the key cannot sign.
    func target(at now: Int, channel: ChannelID?) throws -> ProviderRequestTarget {
        var target = ProviderRequestTarget(scheme: tls == nil ? "http" : "https", authority: address.description)
        if case .token(let key) = authentication { target.authorization = "bearer \(try key.token(at: now))" }
        target.channel = channel?.rawValue ?? ""
        return target
    }
}

/// A key that signs provider tokens ("Establishing a token-based connection to APNs").
package struct ProviderTokenKey: Sendable {
    private let key: P256PrivateKey

    /// The identifier.
    package let id: ProviderKeyID

    private let team: TeamID

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - id: its identifier.
    ///   - team: its team.
    package init(id: ProviderKeyID, team: TeamID) {
        key = P256PrivateKey()
        (self.id, self.team) = (id, team)
    }

    /// Reads a key in PEM, as Apple's .p8 files contain one; `nil` if the text is not a private key on P-256.
    ///
    /// - Parameters:
    ///   - pem: the text.
    ///   - id: its identifier.
    ///   - team: its team.
    package init?(pem: String, id: ProviderKeyID, team: TeamID) {
        guard let key = P256PrivateKey(pem: pem) else { return nil }
        self.key = key
        (self.id, self.team) = (id, team)
    }

    /// The public half, as the gateway registers it.
    package var registration: ProviderKey {
        ProviderKey(id: id, team: team, publicKey: key.publicKey.pem)
    }

    /// Returns a token that is issued at a time, in seconds since 1970; it is valid for an hour.
    package func token(at now: Int) throws -> String {
        let head = Self.base64URL(Data(#"{"alg":"ES256","kid":"\#(id.rawValue)"}"#.utf8))
        let claims = Self.base64URL(Data(#"{"iss":"\#(team.rawValue)","iat":\#(now)}"#.utf8))
        let signature = try key.signature(of: Array("\(head).\(claims)".utf8))
        return "\(head).\(claims).\(Self.base64URL(Data(signature.raw)))"
    }

    /// Returns bytes in base64 for URLs (RFC 7515, section 2).
    private static func base64URL(_ bytes: Data) -> String {
        bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
