import Foundation
import ProcessTestSupport
import Synchronization
import Testing
import WaypostTestSupport

@testable import ClusterTestSupport

extension DurabilityTests {
    /// The proxy between `psql` or `pgbench` and a server.
    @Suite(.timeLimit(.minutes(5))) struct SeveringProxyTests {
        /// A client that commits a row, with one statement in each request or with prepared statements in pipelines.
        enum Client: CaseIterable {
            case simple
            case pipeline
        }

        @Test func severedConnectionsEndAndOthersFollow() async throws {
            try await Self.run { proxy, _ in
                let sleeper = try Self.psql(proxy, "SELECT pg_sleep(600)")
                let listener = try Self.psql(proxy, "LISTEN waypost", "SELECT pg_sleep(600)")
                try await waitUntil("both clients are connected") {
                    proxy.connectionCount == 2 && proxy.listeningCount == 1
                }
                proxy.severListeners()
                #expect(await listener.ended().status != 0)
                try await waitUntil("the listener is gone") { proxy.connectionCount == 1 }
                proxy.severAll()
                #expect(await sleeper.ended().status != 0)
                #expect(try await Self.psql(proxy, "SELECT 1").ended().status == 0)
            }
        }

        @Test(arguments: Client.allCases, [true, false])
        func cutBeforeCommitRollsBack(_ client: Client, _ serverNotices: Bool) async throws {
            try await Self.run { proxy, server in
                proxy.planCut(.before(serverNotices: serverNotices))
                #expect(try await Self.commit(client, proxy).ended().status != 0)
                try await proxy.waitForCut()
                // A server that notices nothing keeps the transaction open until its time-out.
                let open = "SELECT count(*) FROM pg_locks WHERE relation = 'entry'::regclass"
                if !serverNotices { #expect(try await server.run(open) == "1") }
                try await waitUntil("the transaction has ended") { try await server.run(open) == "0" }
                #expect(try await server.run("SELECT count(*) FROM entry") == "0")
            }
        }

        @Test(arguments: Client.allCases, [true, false])
        func cutAfterCommitCommits(_ client: Client, _ waitsForAnswer: Bool) async throws {
            try await Self.run { proxy, server in
                proxy.planCut(.after(waitsForAnswer: waitsForAnswer))
                #expect(try await Self.commit(client, proxy).ended().status != 0)
                try await proxy.waitForCut()
                try await waitUntil("the row is there") {
                    try await server.run("SELECT count(*) FROM entry") == "1"
                }
                try await waitUntil("the connection is gone") { proxy.connectionCount == 0 }
            }
        }

        @Test func clientCannotConnectAfterACutThatRefuses() async throws {
            try await Self.run { proxy, server in
                proxy.planCut(.after(waitsForAnswer: false), refusesAfterwards: true)
                #expect(try await Self.commit(.simple, proxy).ended().status != 0)
                try await proxy.waitForCut()
                #expect(try await Self.psql(proxy, "SELECT 1").ended().status != 0)
                proxy.acceptAgain()
                #expect(try await Self.psql(proxy, "SELECT 1").ended().status == 0)
            }
        }

        @Test(arguments: TransactionStop.Moment.allCases)
        func clientIsStoppedOnceInATransaction(_ moment: TransactionStop.Moment) async throws {
            try await Self.run { proxy, server in
                let stops = Mutex(0)
                let stop = TransactionStop(moment, after: 0) { stops.withLock { $0 += 1 } }
                proxy.plan(stop)
                let client = try Self.commit(.pipeline, proxy)
                try await stop.waitUntilStopped()
                if moment == .withinPipeline {
                    // The server has the statement, and the client is not stopped really, but it waits for the answer.
                    let open = "SELECT count(*) FROM pg_locks WHERE relation = 'entry'::regclass"
                    try await waitUntil("the row is locked") { try await server.run(open) == "1" }
                }
                stop.end()
                #expect(await client.ended().status == 0)
                #expect(try await Self.commit(.pipeline, proxy).ended().status == 0)
                #expect(try await server.run("SELECT count(*) FROM entry") == "2")
                #expect(stops.withLock(\.self) == 1)
            }
        }

        private static func run(_ body: (SeveringProxy, DatabaseServer) async throws -> Void) async throws {
            let database = try await PostgresPair.start()
            try await database.primary.run(
                """
                CREATE TABLE entry (number integer);
                ALTER DATABASE waypost SET idle_in_transaction_session_timeout = '2s'
                """
            )
            let proxy = try SeveringProxy.start(to: database.primary.port)
            try await body(proxy, database.primary)
            proxy.close()
            await database.remove()
        }

        private static func psql(_ proxy: SeveringProxy, _ statements: String...) throws -> ChildProcess {
            let commands = statements.flatMap { ["--command", $0] }
            return try ChildProcess(
                [try PostgresPrograms.path(of: "psql"), "--no-psqlrc"] + commands + [uri(of: proxy)]
            )
        }

        private static func uri(of proxy: SeveringProxy) -> String {
            "postgres://waypost@127.0.0.1:\(proxy.port)/waypost?sslmode=disable"
        }

        /// Starts a client that commits a row.
        private static func commit(_ client: Client, _ proxy: SeveringProxy) throws -> ChildProcess {
            switch client {
            case .simple: try psql(proxy, "BEGIN", "INSERT INTO entry VALUES (1)", "COMMIT")
            case .pipeline:
                // pgbench reads the script from its standard input, which the shell gives it.
                try ChildProcess([
                    "bash", "-c", script, "bash", try PostgresPrograms.path(of: "pgbench"), uri(of: proxy),
                ])
            }
        }

        private static let script = #"""
            exec "$1" --no-vacuum --protocol=prepared --transactions=1 --file=/dev/stdin "$2" <<'END'
            \startpipeline
            BEGIN;
            INSERT INTO entry VALUES (1);
            \endpipeline
            \startpipeline
            COMMIT;
            \endpipeline
            END
            """#
    }
}
