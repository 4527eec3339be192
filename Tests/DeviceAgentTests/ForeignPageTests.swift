import DeviceAgent
import Foundation
import Gateway
import GatewayClient
import GatewayTestSupport
import HTTPTypes
import Hummingbird
import LocalService
import NIOCore
import Testing
import WaypostSchema
import WaypostTestSupport

/// Pages of other web sites in Chromium, and programs without the control token.
@Suite(.timeLimit(.minutes(5))) struct ForeignPageTests {
    private static let name = clownTown.name

    /// Runs an agent whose control API asks for no token unless `token` is given.
    private static func run(
        _ gateway: RunningGateway,
        token: ControlTokenChoice = .none,
        _ body: @escaping @Sendable (AgentReadyFile) async throws -> Void
    ) async throws {
        var configuration = AgentConfiguration(
            devices: [ConfiguredDevice(clownTown)],
            service: gateway.ready.service,
            courier: gateway.ready.courier
        )
        configuration.controlToken = token
        try await withAgent(configuration, sources: .waiting, body)
    }

    /// Returns the document that Chromium shows for a URL; the names `*.example` are loopback.
    private static func document(at url: String) async throws -> String {
        let folder = try ScratchFolder()
        let output = try await ExternalCommand.run([
            "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-proxy-server",
            "--host-resolver-rules=MAP *.example 127.0.0.1", "--user-data-dir=\(folder.path(of: "profile"))",
            "--virtual-time-budget=30000", "--dump-dom", url,
        ])
        withExtendedLifetime(folder) {}
        return String(decoding: output, as: UTF8.self)
    }

    /// Serves a page while `body` runs; `body` gets the port.
    private static func serve(_ page: String, _ body: @escaping @Sendable (Int) async throws -> Void) async throws {
        let router = Router()
        router.get("page") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "text/html"],
                body: .init(byteBuffer: ByteBuffer(string: page))
            )
        }
        try await LoopbackServer.run(router.buildResponder(), body)
    }

    /// A page that posts to all URLs, and then says how many requests have ended.
    private static func page(posting posts: [(url: String, body: String)]) -> String {
        let calls = posts.map { url, body in
            let text = String(decoding: (try? JSONEncoder().encode([url, body])) ?? Data(), as: UTF8.self)
            return "post(...\(text))"
        }
        return """
            <!doctype html><p id=ended></p><script>
            const post = (url, body) => fetch(url, { method: 'POST', mode: 'no-cors', body }).catch(() => null)
            Promise.all([\(calls.joined(separator: ","))]).then(all => {
              document.getElementById('ended').textContent = 'ended ' + all.length
            })
            </script>
            """
    }

    @Test func pageOfAnotherSiteChangesNothing() async throws {
        try await RunningGateway.run { gateway in
            try await Self.run(gateway) { ready in
                let agent = AgentClient(gateway.http, control: ready.control)
                let token = try #require(try await agent.devices()[0].token)
                let device = "\(ready.control)/v1/devices/\(Self.name)"
                let posts = [
                    ("\(gateway.ready.service)/v1/devices", #"{"name":"x","topics":["com.example.x"]}"#),
                    (
                        "\(gateway.ready.service)/v1/batches",
                        #"{"token":"\#(token)","topic":"com.example.clowntown","payload":{"aps":{"alert":"x"}}}"#
                    ),
                    ("\(gateway.ready.courier)/v1/acks", #"{"sequences":[1]}"#),
                    ("\(device)/fork", #"{"name":"copy"}"#), ("\(device)/snapshots", #"{"name":"s"}"#),
                    (
                        "\(device)/events",
                        #"{"type":"contactChanged","contact":{"id":"x","givenName":"X","handles":["+14085550101"]}}"#
                    ),
                ]
                try await Self.serve(Self.page(posting: posts)) { port in
                    let shown = try await Self.document(at: "http://evil.example:\(port)/page")
                    #expect(shown.contains("ended \(posts.count)"), "\(shown)")
                }
                #expect(try await agent.devices().map(\.name) == [Self.name])
                let snapshots: [String] = try await JSONCalls(gateway.http, base: ready.control)
                    .get("/v1/devices/Ava's%20iPad/snapshots")
                #expect(snapshots.isEmpty)
                let notifications: NotificationPage = try await JSONCalls(gateway.http, base: gateway.ready.service)
                    .get("/v1/notifications")
                #expect(notifications.notifications.isEmpty)
            }
        }
    }

    @Test func reboundNameShowsNothing() async throws {
        try await RunningGateway.run { gateway in
            try await Self.run(gateway) { ready in
                let apps = try #require(ready.apps)
                for (url, path) in [
                    (gateway.ready.service, "/v1/notifications"), (gateway.ready.courier, "/v1/events"),
                    (ready.control, "/v1/devices/Ava's%20iPad/apps/com.example.clowntown/credential"),
                    (apps, "/v1/app"),
                ] {
                    let shown = try await Self.document(
                        at: url.replacingOccurrences(of: "127.0.0.1", with: "rebound.example") + path
                    )
                    #expect(shown.contains("foreignRequest"), "\(url): \(shown)")
                }
                let shown = try await Self.document(at: "\(ready.control)/v1/devices")
                #expect(shown.contains(Self.name), "\(shown)")
            }
        }
    }

    /// A browser cannot reach a Unix domain socket, and clients write any host or none.
    @Test(arguments: ["Host: agent.example", "Host:"])
    func unixDomainSocketTakesAnyHost(_ header: String) async throws {
        let folder = try ScratchFolder()
        try await RunningGateway.run { gateway in
            var configuration = AgentConfiguration(
                devices: [ConfiguredDevice(clownTown)],
                service: gateway.ready.service,
                courier: gateway.ready.courier
            )
            let path = folder.path(of: "control.sock")
            configuration.control = .unix(path: path)
            try await withAgent(configuration, sources: .waiting) { _ in
                let answer = try await ExternalCommand.run([
                    "curl", "--silent", "--show-error", "--unix-socket", path, "--header", header,
                    "http://agent.example/v1/devices",
                ])
                #expect(String(decoding: answer, as: UTF8.self).contains(Self.name))
            }
        }
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: [ControlTokenChoice.random, .fixed("secret")])
    func controlTokenIsRequired(_ choice: ControlTokenChoice) async throws {
        try await RunningGateway.run { gateway in
            try await Self.run(gateway, token: choice) { ready in
                let token = try #require(ready.controlToken)
                #expect(choice == .fixed(token) || token.count == 32)
                #expect(try await AgentClient(gateway.http, control: ready.control, token: token).devices().count == 1)
                for wrong in [nil, "", token + "0", String(token.dropLast()) + "x"] {
                    let client = AgentClient(gateway.http, control: ready.control, token: wrong)
                    let error = await #expect(throws: CallError.self) { _ = try await client.devices() }
                    guard case .refused(401, _)? = error else {
                        Issue.record("\(String(describing: error))")
                        continue
                    }
                }
                let health: Health = try await JSONCalls(gateway.http, base: ready.control).get("/health")
                #expect(health.status == "ok")
            }
        }
    }
}
