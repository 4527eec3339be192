import GRDB
import Testing
import WaypostTestSupport

@testable import GatewayStore

/// Files of every version are out there: what a migration once made is never made otherwise.
@Suite struct MigrationTests {
    /// Returns `statement` without the white space that makes no difference.
    private func condensed(_ statement: some StringProtocol) -> String {
        statement.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test func schemaIsTheOneThatFilesHave() async throws {
        let sqlite = try await SQLiteExample()
        let schema = try await sqlite.store.read { database in
            let sql = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'grdb%'"
            return try String.fetchAll(database, sql: sql)
        }
        let statements = Self.frozen.split(separator: ";").map(condensed).filter { !$0.isEmpty }
        #expect(Set(schema.map(condensed)) == Set(statements))
        #expect(schema.count == statements.count)
    }

    @Test func fileSaysWhoseItIsAndOfWhichVersion() async throws {
        let folder = try ScratchFolder()
        let opened = try SQLiteStore.open(in: folder)
        // Before anything else is written, and in the file rather than its log.
        let header = try StoreFolder(path: folder.path).header()
        #expect(header?.applicationID == 0x5750_5354)
        #expect(header?.version == 1)
        #expect(opened.report.version == 1)
    }

    @Test func namespaceIsInEveryKey() async throws {
        let sqlite = try await SQLiteExample()
        let keys = try await sqlite.store.read { database in
            let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'grdb%'"
            return try String.fetchAll(database, sql: sql).map { ($0, try database.primaryKey($0).columns) }
        }
        #expect(keys.count == 9)
        for (table, key) in keys where table != "store" && table != "namespace" {
            #expect(key.first == "namespace", "\(table)")
        }
    }

    private static let frozen = """
        CREATE TABLE store (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            commits INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            agents INTEGER NOT NULL,
            batches INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE namespace (
            number INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            clock INTEGER
        ) STRICT;

        CREATE TABLE agent (
            namespace INTEGER NOT NULL,
            number INTEGER NOT NULL,
            digest BLOB NOT NULL,
            PRIMARY KEY (namespace, number)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX agent_digest ON agent (digest, namespace);

        CREATE TABLE device (
            namespace INTEGER NOT NULL,
            number INTEGER NOT NULL,
            token TEXT NOT NULL,
            agent INTEGER NOT NULL,
            name TEXT NOT NULL,
            standing TEXT NOT NULL,
            since INTEGER NOT NULL,
            constrained INTEGER NOT NULL,
            PRIMARY KEY (namespace, number)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX device_token ON device (namespace, token);

        CREATE TABLE device_topic (
            namespace INTEGER NOT NULL,
            device INTEGER NOT NULL,
            topic TEXT NOT NULL,
            PRIMARY KEY (namespace, device, topic)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE app (
            namespace INTEGER NOT NULL,
            topic TEXT NOT NULL,
            storage TEXT NOT NULL,
            PRIMARY KEY (namespace, topic)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE batch (
            namespace INTEGER NOT NULL,
            number INTEGER NOT NULL,
            id TEXT NOT NULL,
            created INTEGER NOT NULL,
            settled INTEGER,
            rejected INTEGER NOT NULL,
            accepted INTEGER NOT NULL,
            stored INTEGER NOT NULL,
            acknowledged INTEGER NOT NULL,
            collapsed INTEGER NOT NULL,
            expired INTEGER NOT NULL,
            dropped INTEGER NOT NULL,
            unregistered INTEGER NOT NULL,
            record BLOB,
            PRIMARY KEY (namespace, number)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX batch_id ON batch (namespace, id);
        CREATE INDEX batch_in_flight ON batch (number) WHERE accepted > 0;
        CREATE INDEX batch_settled ON batch (namespace, settled, created) WHERE accepted = 0 AND stored = 0;

        CREATE TABLE idempotency (
            namespace INTEGER NOT NULL,
            key TEXT NOT NULL,
            fingerprint BLOB NOT NULL,
            batch INTEGER NOT NULL,
            created INTEGER NOT NULL,
            PRIMARY KEY (namespace, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX idempotency_created ON idempotency (namespace, created);

        CREATE TABLE item (
            namespace INTEGER NOT NULL,
            agent INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            batch INTEGER NOT NULL,
            device INTEGER NOT NULL,
            topic TEXT NOT NULL,
            push_type TEXT NOT NULL,
            priority INTEGER NOT NULL,
            expiration INTEGER,
            deadline INTEGER,
            collapse_id TEXT,
            slot TEXT,
            loose INTEGER,
            id TEXT NOT NULL,
            payload BLOB NOT NULL,
            PRIMARY KEY (namespace, agent, sequence)
        ) STRICT;
        CREATE UNIQUE INDEX item_slot ON item (namespace, device, topic, slot) WHERE slot IS NOT NULL;
        CREATE INDEX item_deadline ON item (namespace, deadline) WHERE deadline IS NOT NULL;
        CREATE INDEX item_loose ON item (namespace, agent) WHERE loose = 1;
        """
}
