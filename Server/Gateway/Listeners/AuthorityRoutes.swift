internal import HTTPTypes
internal import Hummingbird
internal import LocalService
internal import NIOCore

/// `/v1/ca.pem`: the certificate of the authority that signs the provider listener's certificate, for clients to trust.
struct AuthorityRoutes {
    /// The authority's certificate in PEM; `nil` if the gateway has no authority of its own.
    let certificate: String?

    func add(to router: Router<ServiceContext>) {
        router.get("v1/ca.pem") { _, _ in
            guard let certificate else { throw GatewayError.noAuthority }
            return Response(
                status: .ok,
                headers: [.contentType: "application/pem-certificate-chain", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: certificate))
            )
        }
    }
}
