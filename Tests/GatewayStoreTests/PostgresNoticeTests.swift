import GatewayStore
import PostgresStore
import StoreTestSupport
import Synchronization
import Testing
import WaypostSchema

/// Notices of the database, which libpq would write to standard error.
@Suite struct PostgresNoticeTests {
    /// The notices that a store has reported.
    private final class Notices: Sendable {
        private let notices = Mutex<[PostgresNotice]>([])

        var all: [PostgresNotice] {
            notices.withLock(\.self)
        }

        func add(_ notice: PostgresNotice) {
            notices.withLock { $0.append(notice) }
        }
    }

    private static let honk = PostgresNotice(severity: "WARNING", message: "honk", detail: "loud", hint: "listen")

    /// Returns SQL that creates a function of a trigger, which warns.
    private static func function(returning type: String) -> String {
        """
        CREATE FUNCTION honk() RETURNS \(type) LANGUAGE plpgsql AS $$
        BEGIN
            RAISE WARNING 'honk' USING DETAIL = 'loud', HINT = 'listen';
            \(type == "trigger" ? "RETURN NULL;" : "")
        END $$;
        """
    }

    @Test func noticesOfAMigrationAreReported() async throws {
        let database = try await PostgresServer.shared.takeDatabase()
        defer { PostgresServer.shared.giveBack(database) }
        let trigger = "CREATE EVENT TRIGGER honk ON ddl_command_start EXECUTE FUNCTION honk()"
        try await PostgresServer.shared.run(Self.function(returning: "event_trigger") + trigger, at: database)
        let notices = Notices()
        try PostgresStore.open(try PostgresAddress(database), onNotice: { notices.add($0) }).close()
        try await PostgresServer.shared.run("DROP EVENT TRIGGER honk", at: database)
        #expect(notices.all.first == Self.honk)
        #expect(Set(notices.all.map(\.message)) == ["honk"])
    }

    @Test func noticesOfAChangeAreReported() async throws {
        let database = try await PostgresServer.shared.takeDatabase()
        defer { PostgresServer.shared.giveBack(database) }
        let notices = Notices()
        let store = try PostgresStore.open(try PostgresAddress(database), onNotice: { notices.add($0) })
        defer { store.close() }
        let trigger = "CREATE TRIGGER honk AFTER INSERT ON batch FOR EACH STATEMENT EXECUTE FUNCTION honk()"
        try await PostgresServer.shared.run(Self.function(returning: "trigger") + trigger, at: database)
        let example = try await ExampleStore(in: store)
        try await example.take(.example("n1"))
        #expect(notices.all.first == Self.honk)
    }

    @Test(arguments: [("NOTICE", true), ("LOG", true), ("WARNING", false), ("FATAL", false)])
    func onlyWarningsAreWarnings(_ severity: String, _ isInformation: Bool) {
        #expect(PostgresNotice(severity: severity, message: "honk").isInformation == isInformation)
    }
}
