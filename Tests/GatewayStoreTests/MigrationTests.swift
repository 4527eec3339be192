import GRDB
import Testing
import WaypostTestSupport

@testable import GatewayStore

/// Tests of the migrations, which must never change because store files of every version exist.
@Suite struct MigrationTests {
    /// Returns `statement` without insignificant white space.
    private func condensed(_ statement: some StringProtocol) -> String {
        statement.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test func schemaMatchesExistingFiles() async throws {
        let sqlite = try await SQLiteExample()
        let schema = try await sqlite.store.read { database in
            let sql = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'grdb%'"
            return try String.fetchAll(database, sql: sql)
        }
        let frozen = FrozenSchema.latest.split(separator: ";")
        let statements = frozen.map(condensed).filter { !$0.isEmpty }
        #expect(Set(schema.map(condensed)) == Set(statements))
        #expect(schema.count == statements.count)
    }

    @Test func fileContainsTheApplicationIdentifierAndTheVersion() async throws {
        let folder = try ScratchFolder()
        let opened = try SQLiteStore.open(in: folder)
        // The header is in the file, not in its write-ahead log, before anything else is written.
        let header = try StoreFolder(path: folder.path).readHeader()
        #expect(header?.applicationID == 0x5750_5354)
        #expect(header?.version == 10)
        #expect(opened.report.version == 10)
    }

    @Test func everyKeyBeginsWithTheNamespaceOrIsASequence() async throws {
        let sqlite = try await SQLiteExample()
        let keys = try await sqlite.store.read { database in
            let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'grdb%'"
            return try String.fetchAll(database, sql: sql).map { ($0, try database.primaryKey($0).columns) }
        }
        #expect(keys.count == 16)
        for (table, key) in keys where table != "store" && table != "namespace" {
            #expect(key.first == "namespace" || key == ["sequence"], "\(table)")
        }
    }
}
