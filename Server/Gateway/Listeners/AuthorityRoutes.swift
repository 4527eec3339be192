internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import LocalAuthority
internal import LocalService
internal import NIOCore

/// `/v1/ca.pem`: the certificate of the authority that signs the provider listener's certificate, for clients to trust.
struct AuthorityRoutes {
    /// The gateway's authority; `nil` if the certificate is not the gateway's own.
    let authority: AuthorityFolder?

    func add(to router: Router<ServiceContext>) {
        router.get("v1/ca.pem") { _, _ in
            guard let authority, let pem = try? Data(contentsOf: URL(filePath: authority.authorityCertificatePath))
            else { throw GatewayError.noAuthority }
            return Response(
                status: .ok,
                headers: [.contentType: "application/pem-certificate-chain", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: pem))
            )
        }
    }
}
