import Cryptography
import Foundation
import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

/// `GET /v1/backup`, and restoring its answer.
@Suite(.timeLimit(.minutes(5))) struct BackupTests {
    @Test(arguments: [Engine.memory, .sqlite])
    func restoredGatewayHasWhatTheBackedUpOneHad(_ engine: Engine) async throws {
        let folder = try ScratchFolder()
        let (file, device) = try await engine.run { gateway in
            let device = try await gateway.device()
            try await gateway.send(line(1, device.token) + line(2, device.token))
            let answer = try await gateway.service(.GET, "/v1/backup")
            #expect(answer.status == 200)
            let digest = Data(SHA256.hash(of: answer.body)).base64EncodedString()
            #expect(answer.headers["repr-digest"] == ["sha-256=:\(digest):"])
            #expect(answer.headers["content-length"] == ["\(answer.body.count)"])
            // The copy has nothing of what comes later.
            try await gateway.send(line(3, device.token))
            return (answer.body, device)
        }
        let path = try folder.write(file, to: "backup")
        let store = StoreChoice.sqlite(folder: folder.path(of: "restored"))
        var warnings: [String] = []
        let message = try store.restore(path) { warnings.append($0) }
        #expect(message == "restored \(path) into \(folder.path(of: "restored")) (version 10 of the store's schema)")
        #expect(warnings.isEmpty)
        let (inbox, log) = try await RunningGateway.run(GatewayConfiguration.forTests.keeping(store)) { gateway in
            (try await gateway.inbox(of: device), try await gateway.notifications())
        }
        #expect(inbox.map(\.id) == [.numbered(1), .numbered(2)])
        // The third one marks the end of the inbox.
        #expect(log.notifications.count == 3)
    }

    @Test func storeWithItsOwnToolsRefusesABackup() async throws {
        try await Engine.oracle.run { gateway in
            let answer = try await gateway.service(.GET, "/v1/backup")
            #expect(answer.status == 409)
            #expect(try answer.error.code == "backupElsewhere")
            #expect(try answer.error.message.contains("pg_dump"))
        }
    }

    @Test func nothingIsRestoredIntoMemory() {
        #expect(throws: GatewayStartError.self) { try StoreChoice.memory.restore("/nowhere") { _ in } }
    }
}
