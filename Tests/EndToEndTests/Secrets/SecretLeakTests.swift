import Foundation
import ProcessTestSupport
import Testing
import WaypostSchema
import WaypostTestSupport

/// A secret is only in the file that is meant to have it, and only the owner can read that file.
///
/// A run sends hundreds of requests, each with a program of its own, so its time limit is longer.
@Suite(.timeLimit(.minutes(10))) struct SecretLeakTests {
    /// The listeners, with a request that each answers.
    private static func targets(
        gateway: GatewayReadyFile,
        agent: AgentReadyFile,
        token: String
    ) throws -> [(name: String, listener: String, method: String, path: String)] {
        let (provider, apps) = (try #require(gateway.providerPlaintext), try #require(agent.apps))
        return [
            ("service", gateway.service, "GET", "/v1/namespaces"),
            ("batches", gateway.service, "POST", "/v1/batches"),
            ("courier", gateway.courier, "POST", "/v1/acks"),
            ("provider", provider, "POST", "/3/device/\(token)"),
            ("control", agent.control, "GET", "/v1/devices"),
            ("apps", apps, "GET", "/v1/app/events"),
        ]
    }

    /// Returns a member of an object in JSON that is part of an answer.
    private static func member(_ name: String, of answer: String) throws -> String {
        let start = try #require(answer.range(of: #""\#(name)":""#), "\(answer)").upperBound
        return String(answer[start...].prefix { $0 != "\"" })
    }

    @Test func everySecretIsOnlyInItsFile() async throws {
        let run = try SecretRun()
        let (gateway, ready) = try await run.startGateway()
        let adminToken = try run.line(of: "data/admin-token")
        let admin = ["Authorization: Bearer \(adminToken)"]

        // A device of the API, a key of a provider, and a certificate of a provider.
        let registration = RawRequest(
            method: "POST",
            target: "/v1/devices",
            fields: admin,
            body: #"{"name":"Pad","topics":["\#(SecretRun.app)"]}"#
        )
        let registered = try await registration.answer(of: ready.service)
        let secret = try Self.member("secret", of: registered)
        let token = try Self.member("token", of: registered)
        let readyFile = run.path(of: "gateway-ready.json")
        try await run.waypost(
            "keys",
            "create",
            "--team",
            "TEAM123456",
            "--id",
            "ABC123DEFG",
            "--out",
            run.path(of: "key.p8"),
            "--ready-file",
            readyFile,
            "--verbose",
            as: "keys-create.txt"
        )
        try await run.waypost(
            "ca",
            "client",
            "--topic",
            SecretRun.app,
            "--folder",
            run.path(of: "data/ca"),
            "--out",
            run.path(of: "client.pem"),
            as: "ca-client.txt"
        )

        // An agent with a control token, and the credential of its app.
        let (agent, agentReady) = try await run.startAgent()
        let controlToken = try #require(agentReady.controlToken)
        let control = ["Authorization: Bearer \(controlToken)"]
        let credential = RawRequest(target: "/v1/devices/iPad/apps/\(SecretRun.app)/credential", fields: control)
        let appCredential = try await Self.member("credential", of: credential.answer(of: agentReady.control))
        let earlierSecret = try Self.member("secret", of: run.line(of: "device/credential.json"))
        let rotation = RawRequest(method: "POST", target: "/v1/devices/iPad/secretRotation", fields: control)
        try await run.send(rotation, to: agentReady.control, as: "secret-rotation.txt")
        let agentSecret = try Self.member("secret", of: run.line(of: "device/credential.json"))
        #expect(agentSecret != earlierSecret)
        let jwt = try run.providerToken()

        let words = [
            RunSecret("administrative token", adminToken, in: ["data/admin-token"]),
            RunSecret("secret of a device", secret),
            RunSecret("secret of an agent", agentSecret, in: ["device/credential.json"]),
            RunSecret("earlier secret of an agent", earlierSecret),
            RunSecret("control token", controlToken, in: ["agent-ready.json"]),
            RunSecret("credential of an app", appCredential, in: ["device/apps.json"]),
        ]
        // The first two parts of a provider token are no secret.
        let signature = RunSecret("provider token", String(jwt.split(separator: ".").last ?? ""))
        let keys = try ["data/ca/ca-key.pem", "data/ca/server-key.pem", "key.p8", "client.pem"].map { name in
            RunSecret("the key in \(name)", try RunSecret.privateLine(ofPEM: run.path(of: name)), in: [name])
        }

        try await misuse(
            words.map(\.text) + [jwt],
            gateway: ready,
            agent: agentReady,
            token: token,
            admin: admin,
            run: run
        )
        try await use(
            gateway: ready,
            agent: agentReady,
            token: token,
            secrets: (device: secret, provider: jwt, app: appCredential),
            admin: admin,
            control: control,
            run: run
        )
        try await run.waypost(
            "backup",
            run.path(of: "backup"),
            "--ready-file",
            readyFile,
            "--verbose",
            as: "backup.txt"
        )
        #expect(try await run.keepPublicFiles(of: gateway, as: "gateway") == "0")
        #expect(try await run.keepPublicFiles(of: agent, as: "agent") == "0")

        // A crash, and a start with the same data.
        gateway.send(SIGABRT)
        #expect(await gateway.ended().status == 128 + SIGABRT)
        let (successor, newReady) = try await run.startGateway()
        let listed = RawRequest(target: "/v1/devices", fields: admin)
        #expect(try await run.send(listed, to: newReady.service, as: "devices-again.txt").contains(token))
        for process in [agent, successor] {
            process.send(SIGTERM)
            _ = await process.ended()
        }

        try check(words + [signature] + keys, run)
    }

    /// Sends every secret to every listener, at places that are not meant for it.
    private func misuse(
        _ secrets: [String],
        gateway: GatewayReadyFile,
        agent: AgentReadyFile,
        token: String,
        admin: [String],
        run: SecretRun
    ) async throws {
        for target in try Self.targets(gateway: gateway, agent: agent, token: token) {
            var answers: [String] = []
            for secret in secrets {
                for request in RawRequest.misuses(of: secret, target.method, target.path) {
                    answers.append(try await request.answer(of: target.listener))
                }
            }
            try run.keep(answers.joined(separator: "\n"), as: "misuse-\(target.name).txt")
            #expect(answers.contains { $0.hasPrefix("HTTP/1.1 40") }, "\(target.name) refused nothing")
        }
        // Bodies that cannot be used.
        for (index, secret) in secrets.enumerated() {
            let bodies = [
                #"{"name":"Pad","topics":["a.b"],"secret":"\#(secret)""#,
                #"{"name":"Pad","topics":["a.b"],"secret":["\#(secret)"]}"#,
                #"{"name":"Pad","topics":["a.b"],"secret":"\#(secret)0"}"#,
                #"{"name":"Pad","topics":["a.b"],"secret":"x","secret":"\#(secret)"}"#,
            ]
            for (number, body) in bodies.enumerated() {
                let request = RawRequest(method: "POST", target: "/v1/devices", fields: admin, body: body)
                try await run.send(request, to: gateway.service, as: "misuse-body-\(index)-\(number).txt")
            }
        }
    }

    /// Uses the secrets as they are meant, and reads everything that shows what happened.
    private func use(
        gateway: GatewayReadyFile,
        agent: AgentReadyFile,
        token: String,
        secrets: (device: String, provider: String, app: String),
        admin: [String],
        control: [String],
        run: SecretRun
    ) async throws {
        let provider = try #require(gateway.providerPlaintext)
        let push = RawRequest(
            method: "POST",
            target: "/3/device/\(token)",
            fields: ["authorization: bearer \(secrets.provider)", "apns-topic: \(SecretRun.app)"],
            body: #"{"aps":{"alert":"Crusty is near"}}"#
        )
        #expect(try await run.send(push, to: provider, as: "push.txt").hasPrefix("HTTP/1.1 200"))
        let acknowledgement = RawRequest(
            method: "POST",
            target: "/v1/acks",
            fields: ["Authorization: Bearer \(secrets.device)"],
            body: #"{"upTo":1}"#
        )
        try await run.send(acknowledgement, to: gateway.courier, as: "acks.txt")
        let app = RawRequest(target: "/v1/app/nothing", fields: ["Authorization: Bearer \(secrets.app)"])
        let apps = try #require(agent.apps)
        try await run.send(app, to: apps, as: "app.txt")

        let paths = [
            "/metrics", "/health", "/v1/devices", "/v1/devices/\(token)", "/v1/keys", "/v1/key-uses", "/v1/streams",
            "/v1/agents", "/v1/notifications", "/v1/sender", "/v1/sender/requests", "/v1/sender/connections",
            "/v1/namespaces", "/v1/faults",
        ]
        for path in paths {
            let name = path.replacing("/", with: "_").replacing(token, with: "token")
            try await run.send(RawRequest(target: path, fields: admin), to: gateway.service, as: "service\(name).txt")
        }
        let pages = ["", "/apps", "/notifications", "/journal", "/tokens", "/lockScreen.svg", "/presentation.svg"]
        for page in pages + ["/apps/\(SecretRun.app)/shelf.svg"] {
            let request = RawRequest(target: "/v1/devices/iPad\(page)", fields: control)
            let name = "control\(page.replacing("/", with: "_")).txt"
            let answer = try await run.send(request, to: agent.control, as: name)
            #expect(!page.hasSuffix("lockScreen.svg") || answer.contains("<svg"), "\(answer)")
        }
    }

    private func check(_ secrets: [RunSecret], _ run: SecretRun) throws {
        #expect(secrets.count == 11)
        let places = try RunSecret.places(of: secrets, in: run.folder)
        for place in places {
            let isMeant = secrets.contains { $0.name == place.secret && $0.files.contains(place.path) }
            #expect(isMeant, "\(place.path) has the \(place.secret)")
            #expect(place.mode == 0o600, "others may read \(place.path), which has the \(place.secret)")
        }
        // If the search did not find the secrets in their files, it would find none in others.
        for secret in secrets {
            for file in secret.files {
                #expect(places.contains { $0.secret == secret.name && $0.path == file }, "\(file) lacks its secret")
            }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: run.folder)
        #expect(!names.contains { $0.hasPrefix("core") })
        for name in ["waypost-gateway.log", "waypost-agent.log", "backup", "service_metrics.txt"] {
            let size = try FileManager.default.attributesOfItem(atPath: run.path(of: name))[.size] as? Int
            #expect(size ?? 0 > 0, "\(name) is empty")
        }
    }
}
