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

    /// The number of databases: more tests at once would not be faster on a few processors.
    private static let limit = 4

    private struct State {
        var starting: Task<String, any Error>?
        var free = (1...PostgresServer.limit).map { "test\($0)" }
        var waiting: [CheckedContinuation<String, Never>] = []
    }

    private let state = Mutex(State())

    /// The server runs as long as the process has this end of its standard input.
    private let input = Pipe()

    /// Waits for a database that no other test uses, empties it, and returns its URI.
    package func takeDatabase() async throws -> String {
        let task = state.withLock { state in
            let task = state.starting ?? Task { try await start() }
            state.starting = task
            return task
        }
        let folder = try await task.value
        let name = await withCheckedContinuation { continuation in
            let free = state.withLock { state in
                if state.free.isEmpty { state.waiting.append(continuation) }
                return state.free.popLast()
            }
            if let free { continuation.resume(returning: free) }
        }
        // A busy machine may need long for a connection.
        let uri = "postgres:///\(name)?host=\(folder)&user=waypost&connect_timeout=60"
        try await run("DROP SCHEMA public CASCADE; CREATE SCHEMA public", at: uri)
        return uri
    }

    /// Takes a database back, which no store has open any longer.
    package func giveBack(_ uri: String) {
        guard let name = URLComponents(string: uri).map({ String($0.path.dropFirst()) }) else { return }
        let waiting = state.withLock { state in
            if state.waiting.isEmpty { state.free.append(name) }
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
        waiting?.resume(returning: name)
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
        for number in $(seq \(limit)); do createdb --host="$folder" --username=waypost "test$number"; done
        echo "$folder"
        cat >/dev/null
        $as "$bin/pg_ctl" --pgdata="$folder/data" --mode=immediate stop >/dev/null
        """
}
