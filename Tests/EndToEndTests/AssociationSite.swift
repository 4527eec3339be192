import GatewayTestSupport
import HTTPTypes
import Hummingbird
import NIOCore

/// A web server that is both the server of a domain and its CDN, with an answer for each client.
struct AssociationSite: Sendable {
    /// An answer for a client.
    struct Answer: Sendable {
        var status = 200
        var fields = ["content-type": "application/json"]
        var body = ""
    }

    /// The answer to a device.
    var device: Answer

    /// The answer to Apple's fetcher.
    var fetcher: Answer

    /// The answer of the CDN.
    var cdn: Answer

    private static let notFound = Answer(status: 404)

    /// Runs `body` with the URL of the server while it runs.
    func whileRunning<Value: Sendable>(_ body: @Sendable (String) async throws -> Value) async throws -> Value {
        try await LoopbackServer.run(responding: { Self.response(answer(to: $0)) }, body)
    }

    private func answer(to request: Request) -> Answer {
        switch request.uri.path {
        case "/.well-known/apple-app-site-association":
            request.headers[.userAgent] == "AASA-Bot/1.0.0" ? fetcher : device
        case "/a/v1/clowntown.example": cdn
        default: Self.notFound
        }
    }

    private static func response(_ answer: Answer) -> Response {
        var headers = HTTPFields()
        for (field, value) in answer.fields {
            if let name = HTTPField.Name(field) { headers[name] = value }
        }
        return Response(
            status: HTTPResponse.Status(code: answer.status),
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: answer.body))
        )
    }
}
