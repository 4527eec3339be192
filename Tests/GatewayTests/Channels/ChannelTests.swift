import Foundation
import GatewayStore
import GatewayTestSupport
import NIOHTTP1
import PushRules
import Testing
import WaypostSchema

@testable import Gateway

/// Tests of channel management and its errors.
@Suite(.timeLimit(.minutes(5))) struct ChannelTests {
    private static let channels = "/1/apps/com.example.clowntown/channels"
    private static let all = "/1/apps/com.example.clowntown/all-channels"
    private static let broadcasts = "/4/broadcasts/apps/com.example.clowntown"
    private static let configurationBody = #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#

    @Test(arguments: Engine.allCases) func channelCanBeCreatedReadListedAndDeleted(_ engine: Engine) async throws {
        try await engine.run { gateway in
            var client = try await ChannelClient(gateway)
            let id = "123e4567-e89b-42d3-a456-42661417400A"
            let made = try await client.exchange(
                "POST",
                Self.channels,
                [("apns-request-id", id)],
                body: Self.configurationBody
            )
            #expect(made.status == 201)
            #expect(made.frames == ["headers+end"])
            #expect(made.fields["apns-request-id"] == id)
            let name = try #require(made.fields["apns-channel-id"])
            #expect(Data(base64Encoded: name)?.count == 16)
            let read = try await client.exchange("GET", Self.channels, [("apns-channel-id", name)])
            #expect(read.status == 200)
            #expect(read.frames == ["headers", "data+end"])
            #expect(read.body == Self.configurationBody)
            let other = try await client.create(policy: 0)
            let listed = try await client.exchange("GET", Self.all)
            let names = try JSONDecoder().decode(DeviceChannels.self, from: Data(listed.body.utf8)).channels
            #expect(Set(names) == [ChannelID(rawValue: name), other])
            let known: [ChannelSummary] = try await gateway.get("/v1/channels?topic=com.example.clowntown")
            #expect(Set(known.map(\.id)) == Set(names))
            #expect(known.filter(\.storesNewest).map(\.id) == [ChannelID(rawValue: name)])
            #expect(try await gateway.service(.GET, "/v1/channels").status == 400)
            let deleted = try await client.exchange("DELETE", Self.channels, [("apns-channel-id", name)])
            #expect(deleted.status == 204)
            #expect(deleted.frames == ["headers+end"])
            let gone = try await client.exchange("GET", Self.channels, [("apns-channel-id", name)])
            #expect(gone.body == #"{"reason":"ChannelNotRegistered"}"#)
            #expect(try await client.exchange("GET", Self.all).body == #"{"channels":["\#(other)"]}"#)
            try await client.close()
        }
    }

    /// A request about channels and the expected answer.
    struct Case: Sendable {
        var name: String
        var method = "POST"
        var path = ChannelTests.broadcasts

        /// `CHANNEL` represents the identifier of a channel that stores no messages.
        var fields = [("apns-channel-id", "CHANNEL"), ("apns-push-type", "liveactivity")]
        var body: String? = #"{"aps":{"event":"end","timestamp":1}}"#
        var status = 400
        var reason: RejectionReason

        static let all: [Self] = [
            Self(name: "another path", path: "/4/broadcasts/apps", status: 404, reason: .badPath),
            Self(name: "query parameters", path: broadcasts + "?x=1", reason: .badRequestParams),
            Self(name: "another method", method: "PUT", status: 405, reason: .methodNotAllowed),
            Self(name: "POST to the list of channels", path: ChannelTests.all, status: 405, reason: .methodNotAllowed),
            Self(
                name: "a repeated header",
                fields: plain + [("apns-push-type", "liveactivity")],
                reason: .duplicateHeaders
            ),
            Self(
                name: "an invalid request identifier",
                fields: plain + [("apns-request-id", "1")],
                reason: .badMessageId
            ),
            Self(name: "a topic suffix", path: broadcasts + ".push-type.liveactivity", reason: .topicDisallowed),
            Self(name: "an invalid app", path: broadcasts + "%20", reason: .topicDisallowed),
            Self(name: "no channel", fields: [plain[1]], reason: .missingChannelId),
            Self(
                name: "an invalid channel identifier",
                fields: [("apns-channel-id", "clown!"), plain[1]],
                reason: .badChannelId
            ),
            Self(
                name: "an unknown channel",
                fields: [("apns-channel-id", "bm9uZQ=="), plain[1]],
                reason: .channelNotRegistered
            ),
            Self(
                name: "another app's channel",
                path: "/4/broadcasts/apps/com.example.other",
                reason: .channelNotRegistered
            ),
            Self(
                name: "another environment's channel",
                fields: plain + [("host", "api.sandbox.push.apple.com")],
                reason: .channelNotRegistered
            ),
            Self(name: "no push type", fields: [plain[0]], reason: .missingPushType),
            Self(name: "another push type", fields: [plain[0], ("apns-push-type", "alert")], reason: .invalidPushType),
            Self(
                name: "an invalid expiration",
                fields: plain + [("apns-expiration", "soon")],
                reason: .badExpirationDate
            ),
            Self(
                name: "an expiration for a channel that stores nothing",
                fields: plain + [("apns-expiration", "1800000000")],
                reason: .badExpirationDate
            ),
            Self(name: "an invalid priority", fields: plain + [("apns-priority", "7")], reason: .badPriority),
            Self(name: "no body", body: nil, reason: .payloadEmpty),
            Self(name: "a body that is not JSON", body: "Honk", reason: .badRequestPayload),
            Self(
                name: "a body that is too large",
                body: ProviderCase.payload(of: 5_121),
                status: 413,
                reason: .payloadTooLarge
            ),
            Self(
                name: "an unknown storage policy",
                path: channels,
                fields: [],
                body: #"{"message-storage-policy":2}"#,
                reason: .badRequestPayload
            ),
            Self(name: "a creation without a body", path: channels, fields: [], body: nil, reason: .payloadEmpty),
            Self(
                name: "a push type that has no channels",
                path: channels,
                fields: [],
                body: #"{"message-storage-policy":1,"push-type":"alert"}"#,
                reason: .invalidPushType
            ),
            Self(
                name: "a channel identifier that the client chose",
                path: channels + "/bXk=",
                fields: [],
                body: configurationBody,
                status: 404,
                reason: .badPath
            ),
            Self(
                name: "a deletion without a channel",
                method: "DELETE",
                path: channels,
                fields: [],
                body: nil,
                reason: .missingChannelId
            ),
        ]

        private static let plain = [("apns-channel-id", "CHANNEL"), ("apns-push-type", "liveactivity")]
    }

    @Test func errorsHaveTheStatusesAndReasonsOfAPNs() async throws {
        try await RunningGateway.run { gateway in
            var client = try await ChannelClient(gateway)
            let channel = try await client.create(policy: 0, [("host", "api.push.apple.com")])
            for one in Case.all {
                let fields = one.fields.map { ($0.0, $0.1.replacing("CHANNEL", with: channel.rawValue)) }
                let answer = try await client.exchange(one.method, one.path, fields, body: one.body)
                #expect(answer.status == one.status, "\(one.name): \(answer)")
                #expect(answer.body == #"{"reason":"\#(one.reason)"}"#, "\(one.name)")
                #expect(answer.frames == ["headers", "data+end"], "\(one.name)")
                #expect(answer.fields["waypost-message"] != nil, "\(one.name)")
            }
            // The log contains the refused message under the identifier from the answer.
            let refused = try await client.send("message 1", to: "bm9uZQ==")
            let id = try #require(refused.fields["apns-request-id"])
            let record: NotificationRecord = try await gateway.get("/v1/notifications/\(id)?wait=rejected&timeout=30s")
            #expect(record.reason == .channelNotRegistered)
            try await client.close()
        }
    }

    @Test func errorsAreTheSameOverHTTP1() async throws {
        try await RunningGateway.run { gateway in
            var client = try await ChannelClient(gateway)
            let channel = try await client.create(policy: 0, [("host", "api.push.apple.com")])
            for one in Case.all {
                var request = "\(one.method) \(one.path) HTTP/1.1\r\nConnection: close\r\n"
                if !one.fields.contains(where: { $0.0 == "host" }) { request += "Host: localhost\r\n" }
                for (name, value) in one.fields {
                    request += "\(name): \(value.replacing("CHANNEL", with: channel.rawValue))\r\n"
                }
                let body = one.body ?? ""
                let socket = try RawSocket(port: try gateway.providerPort)
                socket.send(request + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
                let answer = await socket.read()
                #expect(answer.hasPrefix("HTTP/1.1 \(one.status) "), "\(one.name): \(answer)")
                #expect(answer.hasSuffix(#"{"reason":"\#(one.reason)"}"#), "\(one.name)")
            }
            try await client.close()
        }
    }

    @Test func refusedMessageIsLoggedInTheNamespaceOfItsChannel() async throws {
        try await RunningGateway.run { gateway in
            var client = try await ChannelClient(gateway)
            let channel = try await client.create(policy: 0, [("x-waypost-namespace", "elsewhere")])
            let refused = try await client.send("message 1", to: channel, expiration: 1_800_000_000)
            let id = try #require(refused.fields["apns-request-id"])
            let path = "/v1/notifications/\(id)?wait=rejected&timeout=30s"
            let record: NotificationRecord = try await gateway.get(path, in: "elsewhere")
            #expect(record.reason == .badExpirationDate)
            try await client.close()
        }
    }

    @Test func appHasAtMostTenThousandChannels() async throws {
        let channels = try GatewayServices.forTests().channels
        let store = channels.devices.delivery.store.store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<ChannelService.maximumChannelsPerApp {
                let channel = BroadcastChannel(
                    id: ChannelID(rawValue: "\(number)"),
                    app: "com.example.clowntown",
                    policy: .newest
                )
                group.addTask { _ = try await store.addChannel(channel, in: .standard, limit: .max) }
            }
            try await group.waitForAll()
        }
        let refusal = await #expect(throws: ProviderRefusal.self) {
            _ = try await channels.createChannel(
                of: "com.example.clowntown",
                environment: nil,
                policy: .newest,
                in: .standard
            )
        }
        #expect(refusal?.reason == .cannotCreateChannelConfig)
        _ = try await channels.createChannel(
            of: "com.example.clowntown",
            environment: .sandbox,
            policy: .newest,
            in: .standard
        )
        _ = try await channels.createChannel(
            of: "com.example.other",
            environment: nil,
            policy: .newest,
            in: .standard
        )
        _ = try await channels.createChannel(
            of: "com.example.clowntown",
            environment: nil,
            policy: .newest,
            in: "elsewhere"
        )
    }

    @Test func channelsOfOneEnvironmentAreNotVisibleInTheOther() async throws {
        try await RunningGateway.run { gateway in
            var client = try await ChannelClient(gateway)
            let hosts = [
                "api-manage-broadcast.sandbox.push.apple.com:2195", "api-manage-broadcast.push.apple.com:2196",
            ]
            var names: [ChannelID] = []
            for host in hosts { names.append(try await client.create(policy: 1, [("host", host)])) }
            for (host, name) in zip(hosts, names) {
                let listed = try await client.exchange("GET", Self.all, [("host", host)])
                #expect(listed.body == #"{"channels":["\#(name)"]}"#)
            }
            // A client that names no environment sees the channels of both in its namespace.
            let listed = try await client.exchange("GET", Self.all)
            #expect(names.allSatisfy { listed.body.contains($0.rawValue) })
            #expect(
                try await client.exchange("GET", Self.all, [("x-waypost-namespace", "elsewhere")]).body
                    == #"{"channels":[]}"#
            )
            _ = try await gateway.service(.DELETE, "/v1/namespaces/default")
            #expect(try await client.exchange("GET", Self.all).body == #"{"channels":[]}"#)
            try await client.close()
        }
    }

    /// The example of node-apn has a string.
    @Test(arguments: [false, true]) func policyInAStringIsAcceptedWithAFinding(_ isStrict: Bool) async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.isStrict = isStrict
        try await RunningGateway.run(configuration) { gateway in
            var client = try await ChannelClient(gateway)
            for (policy, isPolicy) in [("1", true), ("2", false), ("one", false)] {
                let body = #"{"message-storage-policy":"\#(policy)","push-type":"LiveActivity"}"#
                let made = try await client.exchange("POST", Self.channels, body: body)
                let isAccepted = isPolicy && !isStrict
                #expect(made.status == (isAccepted ? 201 : 400))
                #expect(made.fields["waypost-findings"] == (isAccepted ? "channelDialect" : nil))
                #expect(made.body == (isAccepted ? "" : #"{"reason":"BadRequestPayload"}"#))
            }
            try await client.close()
        }
    }

    // MARK: The dialect of APNSwift

    /// APNSwift expects channel identifiers in the path and in the body, and accepts no answer without a body.
    @Test func dialectOfAPNSwiftIsAcceptedWithAFinding() async throws {
        try await RunningGateway.run { gateway in
            var client = try await ChannelClient(gateway)
            let made = try await client.exchange("POST", Self.channels, body: #"{"message-storage-policy":1}"#)
            #expect(made.status == 201)
            #expect(made.fields["waypost-findings"] == "channelDialect")
            let name = try #require(made.fields["apns-channel-id"])
            let described = #"{"channel-id":"\#(name)","message-storage-policy":1,"push-type":"LiveActivity"}"#
            #expect(made.body == described)
            let other = try await client.create(policy: 1)
            let ambiguous = try await client.exchange(
                "DELETE",
                Self.channels + "/\(other)",
                [("apns-channel-id", name)]
            )
            #expect(ambiguous.body == #"{"reason":"BadChannelId"}"#)
            _ = try await client.exchange("DELETE", Self.channels + "/\(other)")
            // APNSwift does not percent-encode the identifiers.
            let path = Self.channels + "/" + name
            let read = try await client.exchange("GET", path)
            #expect(read.body == described)
            #expect(try await client.exchange("GET", Self.channels).body == #"{"channels":["\#(name)"]}"#)
            let deleted = try await client.exchange("DELETE", path)
            #expect(deleted.status == 200)
            #expect(deleted.body == "{}")
            // Newer versions differ only in the answers that they accept, so their user agent identifies them.
            let agent = ("user-agent", "APNS/swift-nio")
            let again = try await client.exchange("POST", Self.channels, [agent], body: Self.configurationBody)
            #expect(again.body.contains("channel-id"))
            let newest = try #require(again.fields["apns-channel-id"])
            let gone = try await client.exchange("DELETE", Self.channels, [agent, ("apns-channel-id", newest)])
            #expect(gone.body == "{}")
            try await client.close()
        }
    }

    @Test(arguments: ["ab/cd+ef==", "/////w==", "ab%2Fcd+ef=="]) func channelIdentifierInAPathCanContainSlashes(
        _ name: String
    ) {
        let route = ChannelRoute(path: Self.channels + "/" + name)
        #expect(route?.resource == .channel(ChannelID(rawValue: name.replacing("%2F", with: "/"))))
        #expect(route?.app == "com.example.clowntown")
    }

    @Test(arguments: [
        "/1/apps", "/1/apps/x", "/1/apps/x/other", "/1/apps/x/all-channels/y", "/4/broadcasts/x/y",
        "/2/apps/x/channels", "",
    ])
    func otherPathHasNoChannelRoute(_ path: String) {
        #expect(ChannelRoute(path: path) == nil)
    }

    @Test func strictGatewayAcceptsOnlyTheDialectOfAPNs() async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.isStrict = true
        try await RunningGateway.run(configuration) { gateway in
            var client = try await ChannelClient(gateway)
            let channel = try await client.create(policy: 1, [("user-agent", "APNS/swift-nio")])
            for (method, path, body, reason) in [
                ("POST", Self.channels, #"{"message-storage-policy":1}"#, "MissingPushType"),
                ("GET", Self.channels, nil, "MissingChannelId"),
                ("DELETE", Self.channels + "/bXk=", nil, "BadPath"),
            ] as [(String, String, String?, String)] {
                let answer = try await client.exchange(method, path, body: body)
                #expect(answer.body == #"{"reason":"\#(reason)"}"#)
            }
            let fields = [("user-agent", "APNS/swift-nio"), ("apns-channel-id", channel.rawValue)]
            #expect(try await client.exchange("DELETE", Self.channels, fields).status == 204)
            try await client.close()
        }
    }

    @Test func http1AnswerToADeletionHasNoContentLength() async throws {
        try await RunningGateway.run { gateway in
            var client = try await ChannelClient(gateway)
            let channel = try await client.create(policy: 1)
            let socket = try RawSocket(port: try gateway.providerPort)
            socket.send(
                "DELETE \(Self.channels) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\napns-channel-id: \(channel)\r\n\r\n"
            )
            let answer = await socket.read()
            #expect(answer.hasPrefix("HTTP/1.1 204"))
            #expect(!answer.lowercased().contains("content-length"))
            try await client.close()
        }
    }

    // MARK: Authorization

    @Test func keyOfAnotherAppCannotManageChannels() async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.authentication = .apns
        let adminToken = String(repeating: "ab", count: 32)
        try await RunningGateway.run(configuration, adminToken: adminToken) { gateway in
            let admin = [("authorization", "Bearer \(adminToken)")]
            for (app, status, body) in [
                ("com.example.other", 403, #"{"reason":"TopicMismatch"}"#),
                // `com.example.clowntown` is not the app `com.example`.
                ("com.example", 403, #"{"reason":"TopicMismatch"}"#), ("com.example.clowntown", 201, ""),
            ] as [(Topic, Int, String)] {
                let signer = ProviderSigner(topics: [app])
                let key = Array(try JSONEncoder().encode(signer.key))
                #expect(try await gateway.service(.POST, "/v1/keys", headers: admin, body: key).status == 201)
                var client = try await ChannelClient(gateway)
                let none = try await client.exchange("GET", Self.all)
                #expect(none.body == #"{"reason":"MissingProviderToken"}"#)
                let fields = [("authorization", "bearer \(try signer.token())")]
                let answer = try await client.exchange("POST", Self.channels, fields, body: Self.configurationBody)
                #expect(answer.status == status)
                #expect(answer.body == body)
                try await client.close()
            }
        }
    }
}
