import Foundation
import LoadTesting
import WaypostSchema

/// The comparisons of provider requests, each on 4 connections with 100 streams, with h2load as the client.
struct Provider {
    let workspace: Workspace
    let options: Options

    private static let rate = [Quantity(unit: .perSecond)]

    /// The path of a request to a peer.
    private static let path = "3/device/\(String(repeating: "0123456789abcdef", count: 4))"

    func all() -> [Comparison] {
        [plaintext(), tls(), tokenAuthentication()]
    }

    func plaintext() -> Comparison {
        Comparison(
            "provider requests",
            Self.rate,
            [
                Subject("Waypost", plaintextGateway),
                Subject("nginx") { try measure(try HTTP2Server.nginx(workspace)) },
                Subject("nghttpd") { try measure(try HTTP2Server.nghttpd(workspace, path: Self.path)) },
            ]
        )
    }

    private func tls() -> Comparison {
        Comparison(
            "provider requests, TLS",
            Self.rate,
            [
                Subject("Waypost") { try gateway(["--provider", "127.0.0.1:0"]) { ($0.ready.provider ?? "", []) } },
                Subject("nginx, TLS", { try withCertificate { try measure($0) } }),
            ]
        )
    }

    private func tokenAuthentication() -> Comparison {
        Comparison(
            "provider requests, token authentication",
            Self.rate,
            [
                Subject("Waypost") { try gateway(["--authentication", "token"], authorize) },
                Subject("Waypost, no token", plaintextGateway),
            ]
        )
    }

    private func plaintextGateway() throws -> Sample {
        try gateway([]) { ($0.ready.providerPlaintext ?? "", []) }
    }

    /// Measures a new gateway; `target` returns the URL of a listener and the headers that requests need.
    private func gateway(
        _ arguments: [String],
        _ target: (GatewayServer) throws -> (String, [String])
    ) throws -> Sample {
        let gateway = try GatewayServer(workspace, arguments)
        defer { gateway.stop() }
        let (url, headers) = try target(gateway)
        guard let device = try gateway.register(1).first else { throw Failure("no device was registered") }
        return try load("\(url)/3/device/\(device.token)", headers, gateway.child)
    }

    /// Registers a key, and returns the listener and a token that the key signed.
    private func authorize(_ gateway: GatewayServer) throws -> (String, [String]) {
        let key = ProviderTokenKey(id: "PEERBENCH1", team: "TEAM123456")
        let registration = String(decoding: try JSONEncoder().encode(key.registration), as: UTF8.self)
        _ = try gateway.call("POST /v1/keys", body: registration)
        let token = try key.token(at: Int(Date().timeIntervalSince1970))
        return (gateway.ready.providerPlaintext ?? "", ["authorization: bearer \(token)"])
    }

    private func measure(_ server: HTTP2Server) throws -> Sample {
        defer { server.stop() }
        return try load("\(server.url)/\(Self.path)", [], server.child)
    }

    /// Runs nginx with the certificate that a gateway creates for itself.
    private func withCertificate(_ use: (HTTP2Server) throws -> Sample) throws -> Sample {
        let folder = try workspace.makeFolder("certificate")
        defer { try? FileManager.default.removeItem(at: folder) }
        try GatewayServer(workspace, ["--provider", "127.0.0.1:0", "--ca", folder.path]).stop()
        return try use(try HTTP2Server.nginx(workspace, certificate: folder))
    }

    private func load(_ url: String, _ headers: [String], _ server: Child) throws -> Sample {
        let folder = try workspace.makeFolder("h2load")
        defer { try? FileManager.default.removeItem(at: folder) }
        let body = folder.appending(path: "body.json")
        try Data(#"{"aps":{"alert":"Honk"},"text":"\#(String(repeating: "honk ", count: 30))"}"#.utf8).write(to: body)
        let fields = ["apns-topic: \(Item.topic)", "apns-push-type: alert"] + headers
        let before = Usage.now([server])
        let client = try Child(
            "h2load",
            ["-D", "\(max(1, Int(4 * options.scale)))", "-c", "4", "-m", "100", "-t", "1", "-d", body.path]
                + fields.flatMap { ["-H", $0] } + [url],
            in: folder
        )
        let clientTime = try client.finishMeasuring()
        let usage = Usage.now([server]) - before
        return try sample(client.output, usage, clientTime)
    }

    private func sample(_ output: String, _ usage: Usage, _ clientTime: Double) throws -> Sample {
        guard let rate = output.firstMatch(of: #/([0-9.]+) req/s/#).flatMap({ Double($0.1) }),
            let answers = output.firstMatch(of: #/status codes: ([0-9]+) 2xx, 0 3xx, 0 4xx, 0 5xx/#),
            let items = Int(answers.1), items > 0
        else { throw Failure("h2load did not get 200 for all requests: \(output)") }
        var sample = Sample(usage, items: items, values: [rate])
        sample.clientShare = clientTime / usage.wall
        return sample
    }
}
