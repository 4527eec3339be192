import Testing
import TextReports
import WaypostSchema

@testable import AdminCommands

@Suite struct NotificationsTextTests {
    static let token: DeviceToken = "5d1c0ffee0ddf00d5d1c0ffee0ddf00d5d1c0ffee0ddf00d5d1c0ffee0ddf00d"

    static func record(
        _ state: DeliveryState,
        _ history: [(DeliveryState, Int)],
        attempts: Int = 0,
        expiration: Int? = nil
    ) -> NotificationRecord {
        NotificationRecord(
            sequence: 42,
            id: "9f0c2f6e-3c1b-4a57-8f43-5d8f1f7c0a11",
            batch: "3b0a6c0e-8c0e-4a5e-9d57-0d1c3f6a2b44",
            token: token,
            topic: "com.example.clowntown",
            pushType: .alert,
            priority: 10,
            expiration: expiration,
            collapseID: "crusty",
            state: state,
            attempts: attempts,
            history: history.map { DeliveryStep($0.0, at: Timestamp(milliseconds: 1_790_000_000_000 + $0.1)) }
        )
    }

    static let rejected = NotificationRecord(
        sequence: 43,
        id: nil,
        batch: "3b0a6c0e-8c0e-4a5e-9d57-0d1c3f6a2b44",
        state: .rejected,
        history: [DeliveryStep(.rejected, at: Timestamp(milliseconds: 1_790_000_000_007))],
        reason: .badRequestPayload,
        message: "not JSON"
    )

    @Test func detailsHaveTheFindings() {
        var record = Self.record(.accepted, [(.accepted, 0)])
        record.findings = [
            NotificationFinding(code: .missingKey, severity: .error, message: "'aps' lacks 'event'"),
            NotificationFinding(code: .missingExpiration, severity: .note, message: "no expiration"),
        ]
        let lines = NotificationDetails.text(record).split(separator: "\n")
        #expect(lines.contains("error: 'aps' lacks 'event' [missingKey]"))
        #expect(lines.contains("note: no expiration [missingExpiration]"))
    }

    @Test func detailsHaveEachStateWithItsTime() {
        let steps = [(DeliveryState.accepted, 0), (.stored, 0), (.sent, 12), (.acknowledged, 1_216)]
        #expect(
            NotificationDetails.text(Self.record(.acknowledged, steps, attempts: 2, expiration: 2_000_000_000)) == """
                9f0c2f6e-3c1b-4a57-8f43-5d8f1f7c0a11: acknowledged, sent 2 times
                for com.example.clowntown, to \(Self.token), in batch 3b0a6c0e-8c0e-4a5e-9d57-0d1c3f6a2b44, sequence 42
                alert, priority 10, expires 2033-05-18T03:33:20.000Z, collapse identifier crusty

                Time                      After     State
                ────                      ─────     ─────
                2026-09-21T14:13:20.000Z            accepted
                2026-09-21T14:13:20.000Z  +0 ms     stored
                2026-09-21T14:13:20.012Z  +12 ms    sent
                2026-09-21T14:13:21.216Z  +1.204 s  acknowledged
                """
        )
    }

    @Test(arguments: [(0, "the device was not connected"), (1, "the device did not acknowledge it")])
    func detailsSayWhyATransientNotificationWasDropped(_ attempts: Int, _ cause: String) {
        let transient = Self.record(.dropped, [(.accepted, 0), (.dropped, 1)], attempts: attempts, expiration: 0)
        let text = NotificationDetails.text(transient)
        #expect(text.contains("dropped: \(cause)"), "\(text)")
        #expect(text.contains("with expiration 0 it is not kept for later"))
        // One of an inbox that was purged has no such reason.
        let purged = Self.record(.dropped, [(.accepted, 0), (.dropped, 1)], attempts: 0, expiration: 2_000_000_000)
        #expect(!NotificationDetails.text(purged).contains("dropped:"))
    }

    @Test func detailsOfARejectionHaveItsReason() {
        #expect(
            NotificationDetails.text(Self.rejected) == """
                without an identifier: rejected, never sent
                in batch 3b0a6c0e-8c0e-4a5e-9d57-0d1c3f6a2b44, sequence 43
                BadRequestPayload: not JSON

                Time                      State
                ────                      ─────
                2026-09-21T14:13:20.007Z  rejected
                """
        )
    }

    @Test func listHasOneLinePerNotification() {
        let records = [Self.record(.sent, [(.accepted, 1), (.stored, 1), (.sent, 5)], attempts: 1), Self.rejected]
        #expect(
            NotificationsListCommand.table(records).text(in: .plain) == """
                Time                State     Sent  Identifier                            Topic                  Token      \
                Reason
                ────                ─────     ────  ──────────                            ─────                  ─────      ──────
                09-21 14:13:20.001  sent      1     9f0c2f6e-3c1b-4a57-8f43-5d8f1f7c0a11  com.example.clowntown  5d1c0ffe…
                09-21 14:13:20.007  rejected  0     –                                     –                      –          \
                BadRequestPayload
                """
        )
        #expect(NotificationsListCommand.table([]).text(in: .plain) == "No notification in the log matches.")
    }

    @Test func changeIsPrintedOnOneLine() {
        let records = [Self.record(.sent, [(.accepted, 1), (.stored, 1), (.sent, 5)], attempts: 1), Self.rejected]
        #expect(
            records.map { ChangePrinter.line($0) }.joined(separator: "\n") == """
                09-21 14:13:20.005  sent          9f0c2f6e-3c1b-4a57-8f43-5d8f1f7c0a11  com.example.clowntown     5d1c0ffe…
                09-21 14:13:20.007  rejected      –                                     –                         –          BadRequestPayload
                """
        )
    }

    @Test func changeOnANarrowTerminalHasNoAppAndNoDevice() {
        #expect(
            ChangePrinter.line(Self.record(.sent, [(.sent, 5)]), columns: 80)
                == "09-21 14:13:20.005  sent          9f0c2f6e-3c1b-4a57-8f43-5d8f1f7c0a11"
        )
    }

    @Test func controlCharactersFromASenderAreNotPrinted() {
        var record = Self.rejected
        record.topic = "\u{1B}[2J\nnext"
        #expect(!ChangePrinter.line(record).contains { $0 == "\u{1B}" || $0 == "\n" })
    }

    @Test(arguments: [
        (0, "+0 ms"), (999, "+999 ms"), (1_000, "+1.000 s"), (59_999, "+59.999 s"), (60_000, "+1 min 0 s"),
        (3_599_999, "+59 min 59 s"), (3_600_000, "+1 h 0 min"), (86_399_999, "+23 h 59 min"), (90_000_000, "+1 d 1 h"),
    ])
    func delayIsPrintedInSuitableUnits(_ milliseconds: Int, _ text: String) {
        let start = Timestamp(milliseconds: 1_790_000_000_000)
        #expect(Timestamp(milliseconds: start.rawValue + milliseconds).text(after: start) == text)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (1_790_000_000_207, "2026-09-21T14:13:20.207Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (253_402_300_800_000, "253402300800000 ms since 1970"),
        (-1, "-1 ms since 1970"), (Int.max, "9223372036854775807 ms since 1970"),
    ])
    func timeIsPrintedWithMilliseconds(_ milliseconds: Int, _ text: String) {
        #expect(Timestamp(milliseconds: milliseconds).textWithMilliseconds == text)
    }
}
