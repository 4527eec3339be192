import Foundation
import JSONScanning
import ProviderTrials
import PushRules
import Testing
import WaypostSchema

@testable import AdminCommands

/// The messages that a provider is asked to send.
@Suite struct TrialMessagesTests {
    private static func messages(_ count: Int, _ kind: TrialMessage.Kind = .alert) throws -> [TrialMessage] {
        let load = TrialLoad(count, to: 2..<5, kind: kind)
        return try TrialMessages.messages(of: load, named: "sample-1", for: SampleTrial.setup, at: SampleTrial.time)
    }

    @Test func messagesGoToTheDevicesInTurn() throws {
        let messages = try Self.messages(4)
        #expect(messages.map(\.token) == ["token-2", "token-3", "token-4", "token-2"])
        #expect(messages.map(\.marker) == (0..<4).map { "sample-1-000\($0)" })
        #expect(messages.allSatisfy { $0.payload["marker"] == .string($0.marker) && $0.payload["aps"] != nil })
        #expect(messages.allSatisfy { $0.registeredAt == 1_800_000_000 && $0.expiration == nil })
    }

    @Test func lineOfAMessageIsOneJSONObject() throws {
        let message = try #require(try Self.messages(1).first)
        let line = try JSONOutput.line(message)
        #expect(!line.contains("\n") && !line.contains("expiration"))
        #expect(try DocumentDecoder.decode(TrialMessage.self, fromDeepJSON: line.utf8) == message)
    }

    @Test func teamsAlternateWithTheirKeysAndTopics() throws {
        let messages = try Self.messages(3, .twoTeams)
        #expect(messages.map(\.teamID) == ["TEAM1", "TEAM2", "TEAM1"])
        #expect(messages.map(\.keyID) == ["KEY1", "KEY2", "KEY1"])
        #expect(messages.map(\.keyFile) == ["/keys/1.p8", "/keys/2.p8", "/keys/1.p8"])
        #expect(Set(messages.map(\.topic)).count == 2)
        #expect(messages.allSatisfy { TrialSetup.topics.map(\.rawValue).contains($0.topic) })
    }

    @Test func expirationsAreNowAnHourAndNone() throws {
        #expect(try Self.messages(4, .expirations).map(\.expiration) == ["now", "hour", nil, "now"])
    }

    @Test func sizesAreTheMaximumOneMoreAndTheMaximumInSeveralBytes() throws {
        let messages = try Self.messages(6, .sizes)
        let payloads = try messages.map { try JSONOutput.line($0.payload) }
        #expect(payloads.map(\.utf8.count) == [4_096, 4_097, 4_096, 5_120, 5_121, 500])
        #expect(payloads[2].unicodeScalars.count < 2_000)
        #expect(messages.map(\.pushType) == ["alert", "alert", "alert", "voip", "voip", "voip"])
        #expect(messages[3].topic == "com.example.certificate.voip" && messages[3].expiration == "now")
    }

    @Test(arguments: TrialPayloadSize.all)
    func sizesAgreeWithTheContractsOfTheirPushTypes(_ size: TrialPayloadSize) throws {
        let maximum = try #require(size.pushType.contract?.maximumSize.value)
        #expect(size.isTooLarge == (size.bytes > maximum))
        if size.isTooLarge { #expect(size.bytes == maximum + 1) }
    }

    @Test func everyPushTypeForProviderTokensHasItsTopic() throws {
        let messages = try Self.messages(TrialMessages.contracts.count, .pushTypes)
        let types = messages.map(\.pushType)
        #expect(Set(types).isSuperset(of: ["alert", "background", "voip", "liveactivity", "widgets", "pushtotalk"]))
        #expect(!types.contains("mdm") && Set(types).count == types.count)
        for message in messages {
            let suffix = PushType(rawValue: message.pushType).topicSuffix ?? ""
            #expect(message.topic == "com.example.certificate" + suffix)
            #expect(TrialSetup.topics.map(\.rawValue).contains(message.topic))
            #expect((message.expiration == "now") == ["voip", "pushtotalk"].contains(message.pushType))
        }
    }

    @Test func timestampsOfALiveActivityGrow() throws {
        let times = try Self.messages(3, .liveActivity).compactMap { $0.payload["aps"]?["timestamp"] }
        #expect(times == (0..<3).map { JSONValue.integer(1_800_000_005 + $0) })
    }

    @Test func equalSeedsHaveEqualTokens() throws {
        let trial = try SampleTrial.make([.load(TrialLoad(1, to: 0..<30))])
        let tokens = TrialSetup.tokens(for: trial, seed: 7)
        #expect(tokens == TrialSetup.tokens(for: trial, seed: 7))
        #expect(tokens != TrialSetup.tokens(for: trial, seed: 8))
        #expect(Set(tokens).count == 30 && tokens.allSatisfy { $0.rawValue.utf8.count == 64 })
    }

    @Test func noTwoTrialsShareATokenOrAKey() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "trial-keys-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let tokens = ProviderTrial.all.flatMap { TrialSetup.tokens(for: $0, seed: 7) }
        #expect(Set(tokens).count == tokens.count)
        let keys = try ProviderTrial.all.flatMap { try TrialKey.pair(for: $0, in: folder) }
        #expect(Set(keys.map(\.id)).count == keys.count && Set(keys.map(\.publicKey)).count == keys.count)
        #expect(keys.allSatisfy { $0.id.rawValue.utf8.count == 10 })
    }
}
