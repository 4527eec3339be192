import Foundation
import ProcessTestSupport
import Synchronization
import WaypostTestSupport

/// A PostgreSQL server that a test starts, stops, freezes and kills.
///
/// It syncs, as in production. It listens on a port of the loopback interface and on a Unix domain socket.
final class DatabaseServer: Sendable {
    /// The name of the server, by which a primary knows its replica.
    let name: String

    /// The folder of the data.
    let data: String

    /// The TCP port.
    let port: Int

    /// The folder of the Unix domain socket.
    let sockets: String

    private let process = Mutex<ChildProcess?>(nil)

    /// Creates the server for a data folder, which exists when the server starts.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - folder: the folder of the data and the socket, which belongs to the account of the server.
    /// - Throws: `POSIXError` if there is no free port.
    init(_ name: String, in folder: String) throws {
        self.name = name
        data = "\(folder)/\(name)"
        sockets = folder
        port = try LoopbackSocket.freePort()
    }

    private var log: String {
        "\(data).log"
    }

    /// Starts the server, and waits until it accepts connections.
    ///
    /// A server that was killed first repeats the changes in its write-ahead log.
    func start() async throws {
        let settings = [
            "port=\(port)", "listen_addresses=127.0.0.1", "unix_socket_directories=\(sockets)", "cluster_name=\(name)",
            "log_lock_waits=on", "max_connections=200", "shared_buffers=64MB", "wal_keep_size=256MB",
            "max_wal_size=1GB",
        ]
        let command = [try PostgresPrograms.path(of: "postgres"), "-D", data] + settings.flatMap { ["-c", $0] }
        let script = #"log=$1; shift; exec "$@" >>"$log" 2>&1"#
        let started = try ChildProcess(DatabaseAccount.command(["sh", "-c", script, "sh", log] + command))
        process.withLock { $0 = started }
        try await waitUntil("\(name) accepts connections", within: .clusterWait) {
            guard kill(started.identifier, 0) == 0 else { throw NotStarted(name: name, log: lastLines) }
            return isReady(started.identifier)
        }
    }

    /// Kills the postmaster and all other processes of the server with SIGKILL, and waits until they have ended.
    func killAll() async throws {
        // A postmaster that is stopped starts no further process.
        freeze()
        try await waitUntil("all processes of \(name) have ended", within: .clusterWait) {
            let processes = processes
            for identifier in processes { kill(identifier, SIGKILL) }
            return processes.isEmpty
        }
        _ = await process.withLock { $0 }?.ended()
        process.withLock { $0 = nil }
    }

    /// Stops all processes of the server, with SIGSTOP.
    ///
    /// The system still accepts connections for it and what they send, as long as there is room.
    func freeze() {
        if let postmaster = process.withLock({ $0 }) { postmaster.send(SIGSTOP) }
        var stopped: Set<Int32> = []
        while true {
            let others = Set(processes).subtracting(stopped)
            guard !others.isEmpty else { return }
            for identifier in others { kill(identifier, SIGSTOP) }
            stopped.formUnion(others)
        }
    }

    /// Lets the processes of a frozen server continue.
    func resume() {
        for identifier in processes { kill(identifier, SIGCONT) }
    }

    /// The identifiers of all processes of the server, whose current folder is the data folder.
    var processes: [Int32] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return entries.compactMap(Int32.init).filter { identifier in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(identifier)/cwd")) == data
        }
    }

    /// Whether the server has written that it accepts connections.
    ///
    /// The first line of its file has the identifier of the postmaster, and the eighth the state, as `pg_ctl` reads it.
    private func isReady(_ identifier: Int32) -> Bool {
        guard let text = try? String(contentsOfFile: "\(data)/postmaster.pid", encoding: .utf8) else { return false }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.count >= 8 && lines[0] == "\(identifier)" && lines[7].hasPrefix("ready")
    }

    /// Returns the number of lines of the server's log with a text.
    func logLines(with text: String) -> Int {
        logText.split(separator: "\n").count { $0.contains(text) }
    }

    private var logText: String {
        (try? String(contentsOfFile: log, encoding: .utf8)) ?? "no log"
    }

    private var lastLines: String {
        logText.split(separator: "\n").suffix(10).joined(separator: "\n")
    }

    /// Copies the log into a folder.
    func copyLog(to folder: String) {
        try? FileManager.default.copyItem(atPath: log, toPath: "\(folder)/\(name).log")
    }

    /// The server ended before it accepted connections.
    struct NotStarted: Error, CustomStringConvertible {
        let name: String
        let log: String

        /// The error, and the end of the server's log.
        var description: String {
            "\(name) ended before it accepted connections: \(log)"
        }
    }
}

/// Statements, and the replica.
extension DatabaseServer {
    /// Executes statements in a database, through the Unix domain socket, and returns the output of the last one.
    ///
    /// A server that is frozen would never answer.
    @discardableResult
    func run(_ sql: String, in database: String = "waypost") async throws -> String {
        let command = [
            "timeout", "60", try PostgresPrograms.path(of: "psql"), "--no-psqlrc", "--quiet", "--tuples-only",
            "--no-align", "--host=\(sockets)", "--port=\(port)", "--username=waypost", "--set=ON_ERROR_STOP=1",
            "--command", sql, database,
        ]
        let output = try await ExternalCommand.run(command)
        return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Creates the data folder of a server with an empty database `waypost`, and starts the server.
    func create() async throws {
        let options = ["--username=waypost", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
        let command = [try PostgresPrograms.path(of: "initdb"), "--pgdata=\(data)"] + options
        _ = try await ExternalCommand.run(DatabaseAccount.command(command))
        try await start()
        try await run("CREATE DATABASE waypost", in: "postgres")
    }

    /// Creates the data folder of a replica of another server, and starts the replica.
    func create(asReplicaOf primary: DatabaseServer) async throws {
        let options = [
            "--host=\(primary.sockets)", "--port=\(primary.port)", "--username=waypost", "--write-recovery-conf",
            "--wal-method=stream", "--checkpoint=fast", "--no-sync",
        ]
        let command = [try PostgresPrograms.path(of: "pg_basebackup"), "--pgdata=\(data)"] + options
        _ = try await ExternalCommand.run(DatabaseAccount.command(command))
        try await start()
    }

    /// Makes a replica a primary, and waits until it accepts changes.
    func promote() async throws {
        let command = [try PostgresPrograms.path(of: "pg_ctl"), "promote", "--wait", "--silent", "--pgdata=\(data)"]
        _ = try await ExternalCommand.run(DatabaseAccount.command(command))
    }
}
