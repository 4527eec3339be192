import StoreTestSupport
import Synchronization
import Testing

@testable import PostgresStore

/// The wait of a gateway for a database that is not ready.
@Suite struct DatabaseWaitTests {
    /// A clock that passes each wait at once.
    private final class SkippingClock: Clock, Sendable {
        typealias Duration = Swift.Duration

        struct Instant: InstantProtocol {
            var offset: Swift.Duration

            func advanced(by duration: Swift.Duration) -> Self {
                Self(offset: offset + duration)
            }

            func duration(to other: Self) -> Swift.Duration {
                other.offset - offset
            }

            static func < (left: Self, right: Self) -> Bool {
                left.offset < right.offset
            }
        }

        private let time = Mutex(Swift.Duration.zero)

        var now: Instant {
            Instant(offset: time.withLock(\.self))
        }

        var minimumResolution: Swift.Duration {
            .zero
        }

        func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
            time.withLock { $0 = max($0, deadline.offset) }
        }
    }

    private static let notReady = PostgresOpeningError.notReady(database: "d", reason: "it recovers")
    private static let refused = PostgresOpeningError.failed(database: "d", reason: "no such database")

    /// The result of opening a database, and the number of attempts and reports.
    private struct Outcome: Equatable {
        var attempts = 0
        var reports = 0

        /// The error of the last attempt; `nil` if the database was opened.
        var error: PostgresOpeningError?
    }

    /// Opens a database whose first attempts end with the given errors.
    private static func open(within limit: Duration, _ errors: [PostgresOpeningError]) async throws -> Outcome {
        var (attempts, reports) = (0, 0)
        let wait = DatabaseWait(limit: limit, interval: .seconds(1))
        let onWait = { (_: PostgresOpeningError) in reports += 1 }
        do {
            try await wait.open(clock: SkippingClock(), onWait: onWait) { () throws(PostgresOpeningError) -> Void in
                attempts += 1
                if attempts <= errors.count { throw errors[attempts - 1] }
            }
            return Outcome(attempts: attempts, reports: reports)
        } catch let error as PostgresOpeningError {
            return Outcome(attempts: attempts, reports: reports, error: error)
        }
    }

    @Test func readyDatabaseIsOpenedAtOnce() async throws {
        let result = try await Self.open(within: .seconds(30), [])
        #expect(result == Outcome(attempts: 1))
    }

    @Test func databaseThatBecomesReadyIsOpened() async throws {
        let result = try await Self.open(within: .seconds(30), Array(repeating: Self.notReady, count: 20))
        #expect(result == Outcome(attempts: 21, reports: 1))
    }

    @Test(arguments: [(0, 1), (1, 2), (30, 31)]) func waitEndsAtItsLimit(_ seconds: Int, _ attempts: Int) async throws {
        let errors = Array(repeating: Self.notReady, count: 100)
        let result = try await Self.open(within: .seconds(seconds), errors)
        #expect(result == Outcome(attempts: attempts, reports: min(seconds, 1), error: Self.notReady))
    }

    @Test func otherErrorEndsTheWaitAtOnce() async throws {
        let refused = try await Self.open(within: .seconds(30), [Self.refused])
        #expect(refused == Outcome(attempts: 1, error: Self.refused))
        let refusedLater = try await Self.open(within: .seconds(30), [Self.notReady, Self.refused])
        #expect(refusedLater == Outcome(attempts: 2, reports: 1, error: Self.refused))
    }

    // MARK: The reasons

    @Test(arguments: [
        "connection to server on socket \"/s/.s.PGSQL.5432\" failed: FATAL:  57P03: the system is starting up\n"
            + "LOCATION:  ProcessStartupPacket, postmaster.c:2335\n",
        "connection to server at \"localhost\" (127.0.0.1), port 5432 failed: FATAL:  57P03: Datenbanksystem startet\n",
        "connection to server at \"localhost\" (::1), port 5432 failed: Connection refused\n"
            + "\tIs the server running on that host and accepting TCP/IP connections?\n"
            + "connection to server at \"localhost\" (127.0.0.1), port 5432 failed: FATAL:  57P03: it recovers\n",
        "connection to server at \"db\" (10.0.0.1), port 5432 failed: Connection refused\n",
        "connection to server at \"db\" (10.0.0.1), port 5432 failed: timeout expired\n",
        "connection to server at \"db\" (10.0.0.1), port 5432 failed: server closed the connection unexpectedly\n",
        "could not translate host name \"db\" to address: Name or service not known\n",
        "connection to server at \"db\" (10.0.0.1), port 5432 failed: SSL SYSCALL error: EOF detected\n",
        "connection to server at \"db\" (10.0.0.1), port 5432 failed: session is read-only\n",
        "connection to server at \"db\" (10.0.0.1), port 5432 failed: FATAL:  53300: too many clients already\n",
    ])
    func serverThatIsNotReadyIsRecognized(_ message: String) {
        let error = PostgresError(connecting: message)
        guard case .disconnected(let reason) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(!reason.contains("LOCATION") && !reason.contains("\n"))
    }

    @Test(arguments: [
        "connection to server at \"db\" (10.0.0.1), port 5432 failed: FATAL:  28P01: password authentication failed\n",
        "connection to server at \"db\" (10.0.0.1), port 5432 failed: FATAL:  3D000: database \"x\" does not exist\n",
        "connection to server at \"a\" (10.0.0.1), port 5432 failed: Connection refused\n"
            + "connection to server at \"b\" (10.0.0.2), port 5432 failed: FATAL:  28P01: wrong password\n",
        "connection to server at \"db\" (10.0.0.1), port 5432 failed: fe_sendauth: no password supplied\n",
        "connection to server at \"localhost\" (::1), port 5432 failed: Connection refused\n"
            + "connection to server at \"localhost\" (127.0.0.1), port 5432 failed: fe_sendauth: no password supplied\n",
        "connection to server at \"db\" (10.0.0.1), port 5432 failed: SSL error: certificate verify failed\n",
        "invalid sslmode value: \"x\"\n",
    ])
    func refusedConnectionIsNoReasonToWait(_ message: String) {
        let error = PostgresError(connecting: message)
        guard case .rejected = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test func missingServerMayComeLater() throws {
        let address = try PostgresAddress("postgres:///waypost?host=/nowhere&user=waypost")
        let error = #expect(throws: PostgresOpeningError.self) { _ = try PostgresStore.open(address) }
        guard case .notReady = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func unknownDatabaseDoesNotComeLater() async throws {
        let database = try await PostgresServer.shared.takeDatabase()
        defer { PostgresServer.shared.giveBack(database) }
        let address = try PostgresAddress(database.replacing("/test", with: "/missing"))
        let error = #expect(throws: PostgresOpeningError.self) { _ = try PostgresStore.open(address) }
        guard case .failed = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
