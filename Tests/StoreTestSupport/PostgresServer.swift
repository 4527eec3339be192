internal import Foundation
internal import Synchronization
internal import WaypostTestSupport

/// A PostgreSQL server for the tests of a process, in a temporary folder.
///
/// It does not sync, because no test of the process stops its machine. It ends with the process, even if that is killed.
package final class PostgresServer: Sendable {
    /// The server of this process, which starts when a test first needs it.
    package static let shared = PostgresServer()

    /// The reason why the server did not start.
    package struct NotStarted: Error {
        let output: String
    }

    /// A purpose of databases.
    package enum Purpose: String, CaseIterable, Sendable {
        /// The database is empty.
        case anything

        /// The tables of an earlier store may be there, without rows: creating them takes longer than most tests.
        case store

        /// The statements that prepare a database for the next test.
        fileprivate var preparation: String {
            switch self {
            case .anything: "DROP SCHEMA public CASCADE; CREATE SCHEMA public"
            case .store:
                """
                DO $$ DECLARE name text; BEGIN
                    FOR name IN SELECT relname FROM pg_class
                        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'waypost'
                    LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
                    PERFORM setval(seqrelid, seqstart, false) FROM pg_sequence;
                END $$
                """
            }
        }
    }

    /// The number of databases of a purpose: more tests at once would not be faster on a few processors.
    private static let limit = 4

    private struct State {
        var starting: Task<String, any Error>?
        var pools = Dictionary(uniqueKeysWithValues: Purpose.allCases.map { ($0.rawValue, Pool($0)) })
    }

    /// The databases of a purpose that no test uses, and the tests that wait for one.
    private struct Pool {
        var free: [String]
        var waiting: [CheckedContinuation<String, Never>] = []

        init(_ purpose: Purpose) {
            free = (1...PostgresServer.limit).map { "\(purpose)\($0)" }
        }

        /// Takes a database back, or returns the test that gets it next.
        mutating func giveBack(_ name: String) -> CheckedContinuation<String, Never>? {
            guard waiting.isEmpty else { return waiting.removeFirst() }
            free.append(name)
            return nil
        }
    }

    private let state = Mutex(State())

    /// The server runs as long as the process has this end of its standard input.
    private let input = Pipe()

    /// Waits for a database that no other test uses, prepares it, and returns its URI.
    package func takeDatabase(for purpose: Purpose = .anything) async throws -> String {
        let task = state.withLock { state in
            let task = state.starting ?? Task { try await start() }
            state.starting = task
            return task
        }
        let folder = try await task.value
        let name = await withCheckedContinuation { continuation in
            let free = state.withLock { state in
                let name = state.pools[purpose.rawValue]?.free.popLast()
                if name == nil { state.pools[purpose.rawValue]?.waiting.append(continuation) }
                return name
            }
            if let free { continuation.resume(returning: free) }
        }
        // A busy machine may need long for a connection.
        let uri = "postgres:///\(name)?host=\(folder)&user=waypost&connect_timeout=60"
        try await run(purpose.preparation, at: uri)
        return uri
    }

    /// Takes a database back, which no store has open any longer.
    package func giveBack(_ uri: String) {
        guard let name = URLComponents(string: uri).map({ String($0.path.dropFirst()) }) else { return }
        let next = state.withLock { $0.pools[name.filter(\.isLetter)]?.giveBack(name) }
        next?.resume(returning: name)
    }

    /// Ends all connections to a database.
    package func endConnections(to database: String) async throws {
        try await run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """,
            at: database
        )
    }

    /// Executes statements in a database.
    package func run(_ sql: String, at database: String) async throws {
        _ = try await ExternalCommand.run([
            try PostgresPrograms.path(of: "psql"), "--quiet", "--no-psqlrc", "--command", sql, database,
        ])
    }

    /// Starts the server; returns the folder of its socket.
    private func start() async throws -> String {
        let (output, errors) = (Pipe(), Pipe())
        // If another program of the tests had this end, the server would outlive the process.
        _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        _ = try SpawnedProgram(
            ["sh", "-c", Self.script],
            input: input.fileHandleForReading,
            output: output.fileHandleForWriting,
            errors: errors.fileHandleForWriting
        )
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
                if line.hasSuffix("\n") {
                    continuation.resume(returning: String(line.dropLast()))
                } else {
                    let words = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
                    continuation.resume(throwing: NotStarted(output: words))
                }
            }
        }
    }

    /// PostgreSQL refuses to run as root, so the script uses the account of Debian's package then.
    private static let script = """
        set -eu
        cd /
        bin=$(ls -d /usr/lib/postgresql/*/bin | sort --version-sort | tail -n 1)
        folder=$(mktemp -d /tmp/waypost-postgres-XXXXXX)
        trap 'rm -rf "$folder"' EXIT
        as=
        if [ "$(id -u)" -eq 0 ]; then
          chown postgres "$folder"
          as='setpriv --reuid=postgres --regid=postgres --clear-groups'
        fi
        $as "$bin/initdb" --pgdata="$folder/data" --username=waypost --auth=trust --no-sync --encoding=UTF8 --locale=C >/dev/null
        chmod 755 "$folder"
        $as "$bin/pg_ctl" --pgdata="$folder/data" --log="$folder/log" --wait start --options="-c listen_addresses= \
          -c unix_socket_directories=$folder -c max_connections=600 -c fsync=off -c full_page_writes=off \
          -c shared_buffers=64MB -c max_wal_size=2GB" >/dev/null
        for purpose in \(Purpose.allCases.map(\.rawValue).joined(separator: " ")); do
          for number in $(seq \(limit)); do
            echo "CREATE DATABASE $purpose$number;"
          done
        done | "$bin/psql" --quiet --no-psqlrc --host="$folder" --username=waypost postgres
        echo "$folder"
        cat >/dev/null
        $as "$bin/pg_ctl" --pgdata="$folder/data" --mode=immediate stop >/dev/null
        """
}
