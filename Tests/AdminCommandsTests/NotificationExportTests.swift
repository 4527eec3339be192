import Foundation
import Testing
import WaypostSchema

@testable import AdminCommands

@Suite struct NotificationExportTests {
    private static let record = NotificationRecord(
        sequence: 1,
        id: "id",
        batch: "batch",
        token: "c0ffee",
        topic: "a.b",
        pushType: "alert",
        priority: 5,
        expiration: 0,
        collapseID: "it's",
        state: .stored,
        history: []
    )

    private static let now = Timestamp(milliseconds: 1_000_000)

    private static let payload = JSONValue.object(["aps": .object(["alert": .string("$HOME isn't `x`")])])

    @Test func apnsFileNamesTheApp() throws {
        let text = try NotificationExport.apns(Self.payload, of: Self.record)
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        #expect(value["Simulator Target Bundle"] == .string("a.b"))
        #expect(value["aps"] == Self.payload["aps"])
    }

    @Test func commandQuotesEachWordForAShell() throws {
        let text = try NotificationExport.curl(
            Self.payload,
            of: Self.record,
            providerURL: "http://127.0.0.1:7333",
            caCertificatePath: "/ca",
            at: Self.now
        )
        #expect(
            text == #"""
                curl -i --http2-prior-knowledge \
                  -H 'apns-topic: a.b' \
                  -H 'apns-push-type: alert' \
                  -H 'apns-priority: 5' \
                  -H 'apns-expiration: 0' \
                  -H 'apns-collapse-id: it'\''s' \
                  --data-raw '{"aps":{"alert":"$HOME isn'\''t `x`"}}' \
                  'http://127.0.0.1:7333/3/device/c0ffee'
                """#
        )
    }

    @Test func listenerWithTLSNegotiatesItsVersion() throws {
        let text = try NotificationExport.curl(
            Self.payload,
            of: Self.record,
            providerURL: "https://gateway:7333",
            caCertificatePath: "/my ca.pem",
            at: Self.now
        )
        #expect(text.hasPrefix("curl -i --http2 \\\n  --cacert '/my ca.pem' \\\n"))
    }

    @Test func expirationThatHasPassedIsLeftOut() throws {
        var record = Self.record
        for (expiration, isKept) in [(999, false), (1_000, false), (1_001, true), (0, true)] {
            record.expiration = expiration
            let text = try NotificationExport.curl(
                Self.payload,
                of: record,
                providerURL: "http://x",
                caCertificatePath: nil,
                at: Self.now
            )
            #expect(text.contains("apns-expiration: \(expiration)'") == isKept)
        }
    }
}
