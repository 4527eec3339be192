import Testing
import TextReports
import WaypostSchema

@testable import AdminCommands

/// The list of tokens, as people read it.
@Suite struct TokensTextTests {
    private static func device(_ token: DeviceToken, _ purpose: TokenPurpose?) -> ListedDevice {
        let topics: [Topic] = ["com.example.tv"]
        let device = RegisteredDevice(
            token: token,
            name: "Phone",
            topics: topics,
            since: Timestamp(milliseconds: 0),
            purpose: purpose
        )
        return ListedDevice(device: device, connected: false, stored: 0)
    }

    @Test func tableHasThePurposesIfThereAreAny() {
        let without = Self.device("a1", nil)
        let table = TokensListCommand.table([
            without, Self.device("a2", TokenPurpose(.voip, of: "com.example.tv")),
            Self.device("a3", TokenPurpose(.pushToStart, of: "com.example.tv", name: "Match")),
        ])
        #expect(
            table.text(in: .plain) == """
                Name   Purpose            Token  Stream  In inbox  Topics
                ────   ───────            ─────  ──────  ────────  ──────
                Phone                     a1     –       0         com.example.tv
                Phone  voip               a2     –       0         com.example.tv
                Phone  pushToStart/Match  a3     –       0         com.example.tv
                """
        )
        #expect(!TokensListCommand.table([without]).text(in: .plain).contains("Purpose"))
    }

    @Test func detailsNameThePurpose() {
        let device = Self.device("a2", TokenPurpose(.voip, of: "com.example.tv")).device
        #expect(device.details.rows.contains(["purpose", "the VoIP token of com.example.tv"]))
    }
}
