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

    private static let payload = JSONValue.object(["aps": .object(["alert": .string("$HOME isn't `x`")])])

    @Test func apnsFileNamesTheApp() throws {
        let text = try NotificationExport.apns(Self.payload, of: Self.record)
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        #expect(value["Simulator Target Bundle"] == .string("a.b"))
        #expect(value["aps"] == Self.payload["aps"])
    }

    @Test func commandQuotesEachWordForAShell() throws {
        let text = try NotificationExport.curl(Self.payload, of: Self.record, to: "http://127.0.0.1:7333")
        #expect(
            text == #"""
                curl --http2-prior-knowledge \
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
        let text = try NotificationExport.curl(Self.payload, of: Self.record, to: "https://gateway:7333")
        #expect(text.hasPrefix("curl --http2 \\\n"))
    }
}
