import Foundation
import GatewayTestSupport
import LocalAuthority
import LocalService
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

/// Tests of providers that present a certificate instead of a token.
@Suite(.timeLimit(.minutes(5))) struct ProviderCertificateTests {
    private static let adminToken = String(repeating: "ab", count: 32)
    private static let admin = [("authorization", "Bearer \(adminToken)")]
    private static let topics: [Topic] = ["com.example.clowntown", "com.example.clowntown.voip"]

    /// The topics of the device.
    private static let deviceTopics = topics + ["com.example.clowntown.push-type.widgets"]
    private static let payload = Array(#"{"aps":{"alert":"Honk"}}"#.utf8)

    /// A client certificate and the expected answer.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var topics: [Topic] = ["com.example.clowntown"]
        var environments: Set<PushEnvironment> = [.sandbox, .production]

        /// The age of the certificate, in seconds.
        var age: TimeInterval = 0

        /// Whether another authority signed the certificate.
        var isForeign = false
        var host = "api.push.apple.com"
        var topic: String? = "com.example.clowntown"
        var pushType = "alert"
        var status: Int
        var reason: RejectionReason?

        static let all: [Self] = [
            Self(testDescription: "the certificate's topic", status: 200),
            Self(testDescription: "no topic in the request", topic: nil, status: 200),
            Self(
                testDescription: "one of two topics",
                topics: ProviderCertificateTests.topics,
                topic: "com.example.clowntown.voip",
                pushType: "voip",
                status: 200
            ),
            Self(
                testDescription: "no topic in the request and two in the certificate",
                topics: ProviderCertificateTests.topics,
                topic: nil,
                status: 400,
                reason: .missingTopic
            ),
            Self(testDescription: "another topic", topic: "com.example.other", status: 400, reason: .topicDisallowed),
            Self(
                testDescription: "a topic with a suffix that is not listed",
                topic: "com.example.clowntown.voip",
                pushType: "voip",
                status: 400,
                reason: .topicDisallowed
            ),
            Self(testDescription: "the certificate's environment", environments: [.production], status: 200),
            Self(
                testDescription: "the other environment",
                environments: [.sandbox],
                status: 403,
                reason: .badCertificateEnvironment
            ),
            Self(
                testDescription: "another host's environment",
                environments: [.production],
                host: "api.sandbox.push.apple.com",
                status: 403,
                reason: .badCertificateEnvironment
            ),
            Self(
                testDescription: "a host without an environment",
                environments: [.sandbox],
                host: "localhost",
                status: 200
            ),
            Self(testDescription: "another authority", isForeign: true, status: 403, reason: .badCertificate),
            Self(
                testDescription: "an expired certificate",
                age: 730 * 24 * 60 * 60,
                status: 403,
                reason: .badCertificate
            ),
            Self(
                testDescription: "a certificate of the future",
                age: -3 * 24 * 60 * 60,
                status: 403,
                reason: .badCertificate
            ),
            Self(testDescription: "a certificate without a topic", topics: [""], status: 403, reason: .badCertificate),
            Self(
                testDescription: "a push type that requires a token",
                topics: ["com.example.clowntown.location-query"],
                topic: "com.example.clowntown.location-query",
                pushType: "location",
                status: 403,
                reason: .forbidden
            ),
            Self(
                testDescription: "a push for a Live Activity",
                topics: ["com.example.clowntown.push-type.liveactivity"],
                topic: "com.example.clowntown.push-type.liveactivity",
                pushType: "liveactivity",
                status: 400,
                reason: .topicDisallowed
            ),
            Self(
                testDescription: "a push type that requires a token by all that is known",
                topics: ["com.example.clowntown.push-type.widgets"],
                topic: "com.example.clowntown.push-type.widgets",
                pushType: "widgets",
                status: 200
            ),
        ]
    }

    private static func sources(_ now: Date = Date()) -> LocalAuthority.Sources {
        LocalAuthority.Sources(now: { now }, randomBytes: { count in (0..<count).map { _ in .random(in: 0...255) } })
    }

    /// Runs a gateway with an authority, and passes both and a device's token to `body`.
    private static func run(
        _ mode: Authentication = .apns,
        _ body: @escaping @Sendable (RunningGateway, AuthorityFolder, DeviceToken) async throws -> Void
    ) async throws {
        let scratch = try ScratchFolder()
        let folder = AuthorityFolder(path: scratch.path(of: "ca"))
        var configuration = GatewayConfiguration.forTests
        configuration.provider = ListenAddress(port: 0)
        configuration.authorityFolder = folder.path
        configuration.authentication = mode
        // The gateway uses the current time, at which the certificates are valid.
        let sources = GatewaySources.forTests(now: Timestamp(milliseconds: Int(Date().timeIntervalSince1970 * 1_000)))
        try await RunningGateway.run(configuration, sources: sources, adminToken: adminToken) { gateway in
            let registration = Array(try JSONEncoder().encode(DeviceRegistration(name: "iPad", topics: deviceTopics)))
            let answer = try await gateway.service(.POST, "/v1/devices", headers: admin, body: registration)
            let credential: DeviceCredential = try answer.decoded()
            try await body(gateway, folder, credential.token)
        }
        withExtendedLifetime(scratch) {}
    }

    private static func send(
        _ one: Case,
        to token: DeviceToken,
        with client: inout ProviderClient
    ) async throws
        -> ProviderExchange
    {
        var headers: HPACKHeaders = [
            ":method": "POST", ":scheme": "https", ":path": "/3/device/\(token)", "host": one.host,
            "apns-push-type": one.pushType,
        ]
        if let topic = one.topic { headers.add(name: "apns-topic", value: topic) }
        return try await client.exchange(headers, body: payload)
    }

    /// Returns the body and the status that curl receives over HTTP/1.1.
    private static func answerOverHTTP1(
        to one: Case,
        showing path: String,
        _ token: DeviceToken,
        _ folder: AuthorityFolder,
        _ gateway: RunningGateway
    ) async throws -> String {
        let topic = one.topic.map { ["--header", "apns-topic: \($0)"] } ?? []
        let url = "\(try #require(gateway.ready.provider))/3/device/\(token)"
        let answer = try await ExternalCommand.run(
            [
                "curl", "--silent", "--show-error", "--http1.1", "--cacert", folder.authorityCertificatePath, "--cert",
                path,
            ]
                + topic + ["--header", "apns-push-type: \(one.pushType)", "--header", "Host: \(one.host)"]
                + ["--write-out", "%{http_code}", "--data", String(decoding: payload, as: UTF8.self), url]
        )
        return String(decoding: answer, as: UTF8.self)
    }

    @Test func certificatesGetTheStatusesAndReasonsOfAPNs() async throws {
        try await Self.run { gateway, folder, token in
            let other = AuthorityFolder(path: folder.path + "/other")
            try other.prepare(Self.sources())
            let path = folder.path + "/provider.pem"
            for one in Case.all {
                let sources = Self.sources(Date() - one.age)
                let signer = one.isForeign ? other : folder
                try signer.makeProviderCertificate(
                    topics: one.topics,
                    environments: one.environments,
                    at: path,
                    sources
                )
                var client = try await ProviderClient(gateway, trusting: folder.authorityCertificatePath, showing: path)
                let answer = try await Self.send(one, to: token, with: &client)
                #expect(answer.status == one.status, "\(one.testDescription): \(answer)")
                let body = one.reason.map { #"{"reason":"\#($0)"}"# } ?? ""
                #expect(answer.body == body, "\(one.testDescription)")
                try await client.close()
                let text = try await Self.answerOverHTTP1(to: one, showing: path, token, folder, gateway)
                #expect(text == "\(body)\(one.status)", "\(one.testDescription)")
            }
        }
    }

    @Test func clientWithACertificateIsTrustedImmediatelyAndNeedsNoToken() async throws {
        try await Self.run { gateway, folder, token in
            let path = folder.path + "/provider.pem"
            try folder.makeProviderCertificate(topics: [Self.topics[0]], environments: [], at: path, Self.sources())
            var client = try await ProviderClient(gateway, trusting: folder.authorityCertificatePath, showing: path)
            let headers: HPACKHeaders = [
                ":method": "POST", ":scheme": "https", ":path": "/3/device/\(token)", "host": "localhost",
                "authorization": "bearer x.y.z",
            ]
            #expect(try await client.exchange(headers, body: Self.payload).status == 200)
            #expect(client.connectionFrames.compactMap(\.concurrentStreams) == [1_000])
            try await client.close()
            // A client certificate is optional.
            var other = try await ProviderClient(gateway, trusting: folder.authorityCertificatePath)
            let answer = try await other.exchange(headers, body: Self.payload)
            #expect(answer.body == #"{"reason":"InvalidProviderToken"}"#)
            try await other.close()
        }
    }

    @Test func refusalsNameTheTopicsOfTheCertificate() async throws {
        try await Self.run { gateway, folder, token in
            let path = folder.path + "/provider.pem"
            for (topics, reason, message) in [
                (
                    Self.topics, "MissingTopic",
                    "the apns-topic is missing; the certificate is for several, so name one of them: "
                        + "com.example.clowntown, com.example.clowntown.voip"
                ),
                (
                    ["com.example.ClownTown"], "DeviceTokenNotForTopic",
                    "the device is registered for com.example.clowntown, com.example.clowntown.push-type.widgets, "
                        + "com.example.clowntown.voip, not for "
                        + "com.example.ClownTown, the topic of the certificate; upper and lower case differ"
                ),
            ] as [([Topic], String, String)] {
                try folder.makeProviderCertificate(topics: topics, environments: [], at: path, Self.sources())
                var client = try await ProviderClient(gateway, trusting: folder.authorityCertificatePath, showing: path)
                let headers: HPACKHeaders = [
                    ":method": "POST", ":scheme": "https", ":path": "/3/device/\(token)", "host": "localhost",
                ]
                let answer = try await client.exchange(headers, body: Self.payload)
                #expect(answer.body == #"{"reason":"\#(reason)"}"#)
                #expect(answer.fields["waypost-message"] == message)
                // The delivery log has the same message.
                let path = "/v1/notifications/\(try #require(answer.fields["apns-id"]))?wait=rejected&timeout=60s"
                let logged = try await gateway.service(.GET, path, headers: Self.admin)
                #expect(try logged.decoded(as: NotificationRecord.self).message == message)
                try await client.close()
            }
        }
    }

    @Test func serverCertificateIsNotAProviderCertificate() async throws {
        try await Self.run { gateway, folder, token in
            let path = folder.path + "/both.pem"
            let files = [folder.serverCertificatePath, folder.serverKeyPath]
            let text = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined()
            try Data(text.utf8).write(to: URL(filePath: path))
            var client = try await ProviderClient(gateway, trusting: folder.authorityCertificatePath, showing: path)
            let answer = try await Self.send(Case.all[0], to: token, with: &client)
            #expect(answer.body == #"{"reason":"BadCertificate"}"#)
            try await client.close()
        }
    }

    @Test func certificateProvidesTheTopicEvenWithoutAuthentication() async throws {
        try await Self.run(.none) { gateway, folder, token in
            let path = folder.path + "/provider.pem"
            try folder.makeProviderCertificate(
                topics: [Self.topics[0]],
                environments: [.sandbox],
                at: path,
                Self.sources()
            )
            var client = try await ProviderClient(gateway, trusting: folder.authorityCertificatePath, showing: path)
            #expect(try await Self.send(Case.all[1], to: token, with: &client).status == 200)
            try await client.close()
        }
    }

    @Test(arguments: ["1.2", "1.3"]) func resumedTLSSessionKeepsTheCertificate(_ version: String) async throws {
        try await Self.run { gateway, folder, token in
            let path = folder.path + "/provider.pem"
            try folder.makeProviderCertificate(
                topics: [Self.topics[0]],
                environments: [.production],
                at: path,
                Self.sources()
            )
            let url = "\(try #require(gateway.ready.provider))/3/device/\(token)"
            // One process opens two connections, and the second one resumes the TLS session of the first.
            let answer = try await ExternalCommand.run([
                "curl", "--silent", "--show-error", "--cacert", folder.authorityCertificatePath, "--cert", path,
                "--http1.1", "--tlsv\(version)", "--tls-max", version, "--header", "Connection: close",
                "--write-out", "%{http_code} ", "--data", #"{"aps":{"alert":"Honk"}}"#, url, url,
            ])
            #expect(String(decoding: answer, as: UTF8.self) == "200 200 ")
        }
    }

    @Test func certificateOfAnotherAppOrEnvironmentCannotManageChannels() async throws {
        try await Self.run { gateway, folder, _ in
            let path = folder.path + "/provider.pem"
            for (topic, host, status) in [
                ("com.example.clowntown", "localhost", 201), ("com.example.other", "localhost", 403),
                ("com.example.clowntown", "api-manage-broadcast.sandbox.push.apple.com", 403),
            ] as [(Topic, String, Int)] {
                try folder.makeProviderCertificate(
                    topics: [topic],
                    environments: [.production],
                    at: path,
                    Self.sources()
                )
                var client = try await ProviderClient(gateway, trusting: folder.authorityCertificatePath, showing: path)
                let headers: HPACKHeaders = [
                    ":method": "POST", ":scheme": "https", ":path": "/1/apps/com.example.clowntown/channels",
                    "host": host,
                ]
                let body = Array(#"{"message-storage-policy":1,"push-type":"LiveActivity"}"#.utf8)
                let answer = try await client.exchange(headers, body: body)
                #expect(answer.status == status, "\(answer)")
                try await client.close()
            }
        }
    }

    // MARK: Other authorities

    /// Runs a gateway that has its own server certificate, and trusts the authorities in a file.
    private static func run(
        trusting authorities: String?,
        _ body: @escaping @Sendable (RunningGateway, TestCertificate) async throws -> Void
    ) async throws {
        let certificate = try await TestCertificate("IP:127.0.0.1")
        var configuration = GatewayConfiguration.withTLS(certificate)
        configuration.authentication = .apns
        configuration.providerAuthorities = authorities
        let sources = GatewaySources.forTests(now: Timestamp(milliseconds: Int(Date().timeIntervalSince1970 * 1_000)))
        try await RunningGateway.run(configuration, sources: sources, adminToken: adminToken) { gateway in
            try await body(gateway, certificate)
        }
    }

    @Test func onlyAuthoritiesInTheFileAreTrusted() async throws {
        let scratch = try ScratchFolder()
        let folders = ["one", "two", "three"].map { AuthorityFolder(path: scratch.path(of: $0)) }
        for folder in folders { try folder.prepare(Self.sources()) }
        let trustedCertificates = try folders.prefix(2).map { folder in
            try String(contentsOfFile: folder.authorityCertificatePath, encoding: .utf8)
        }
        let file = try scratch.write(trustedCertificates.joined().utf8, to: "authorities.pem")
        try await Self.run(trusting: file) { gateway, certificate in
            for (folder, reason) in zip(folders, ["BadDeviceToken", "BadDeviceToken", "BadCertificate"]) {
                let path = folder.path + "/provider.pem"
                try folder.makeProviderCertificate(topics: [Self.topics[0]], environments: [], at: path, Self.sources())
                var client = try await ProviderClient(gateway, trusting: certificate.path, showing: path)
                let answer = try await Self.send(Case.all[0], to: "00ff", with: &client)
                #expect(answer.body == #"{"reason":"\#(reason)"}"#)
                try await client.close()
            }
        }
        withExtendedLifetime(scratch) {}
    }

    @Test func gatewayWithoutAuthoritiesIgnoresClientCertificates() async throws {
        let scratch = try ScratchFolder()
        let folder = AuthorityFolder(path: scratch.path(of: "ca"))
        try folder.prepare(Self.sources())
        let path = folder.path + "/provider.pem"
        try folder.makeProviderCertificate(topics: [Self.topics[0]], environments: [], at: path, Self.sources())
        try await Self.run(trusting: nil) { gateway, certificate in
            var client = try await ProviderClient(gateway, trusting: certificate.path, showing: path)
            let answer = try await Self.send(Case.all[0], to: "00ff", with: &client)
            #expect(answer.body == #"{"reason":"MissingProviderToken"}"#)
            try await client.close()
        }
        withExtendedLifetime(scratch) {}
    }

    @Test func fileWithoutAuthoritiesIsNamedInTheError() async throws {
        let scratch = try ScratchFolder()
        let folder = AuthorityFolder(path: scratch.path(of: "ca"))
        try folder.prepare(Self.sources())
        let empty = try scratch.write("clowns".utf8, to: "empty.pem")
        for path in [scratch.path(of: "absent.pem"), empty, folder.serverCertificatePath] {
            let error = await #expect(throws: GatewayStartError.self) { try await Self.run(trusting: path) { _, _ in } }
            #expect(error?.description.hasPrefix("\(path): ") == true)
        }
        withExtendedLifetime(scratch) {}
    }

    @Test func curlCanPresentACertificateOverBothProtocols() async throws {
        try await Self.run { gateway, folder, token in
            let path = folder.path + "/provider.pem"
            try folder.makeProviderCertificate(
                topics: [Self.topics[0]],
                environments: [.production],
                at: path,
                Self.sources()
            )
            let url = "\(try #require(gateway.ready.provider))/3/device/\(token)"
            for version in ["--http1.1", "--http2"] {
                let answer = try await ExternalCommand.run([
                    "curl", "--silent", "--show-error", "--cacert", folder.authorityCertificatePath, "--cert", path,
                    version,
                    "--write-out", "%{http_code}", "--data", #"{"aps":{"alert":"Honk"}}"#, url,
                ])
                #expect(String(decoding: answer, as: UTF8.self) == "200")
            }
        }
    }
}
