import Foundation
import ProcessTestSupport
import WaypostTestSupport

/// A PostgreSQL primary of a test, and its synchronous replica if the test needs one.
///
/// Both end with the test process, even if that is killed, and their folder is deleted.
final class PostgresPair: Sendable {
    /// The server that accepts changes at first.
    let primary: DatabaseServer

    /// The replica, which has every change that the primary confirms.
    let replica: DatabaseServer?

    private let scratch: ScratchFolder
    private let lifeline: Lifeline

    /// Fulfilled when the servers have ended and their folder is deleted.
    private let removal: Promise<Int32>

    /// Starts the servers.
    static func start(withReplica: Bool = false) async throws -> PostgresPair {
        let scratch = try ScratchFolder()
        try await DatabaseAccount.createFolder(scratch.path(of: "database"))
        let pair = try PostgresPair(scratch, withReplica: withReplica)
        do {
            try await pair.primary.create()
            try await pair.addReplica()
        } catch {
            await pair.remove()
            throw error
        }
        return pair
    }

    private init(_ scratch: ScratchFolder, withReplica: Bool) throws {
        let folder = scratch.path(of: "database")
        self.scratch = scratch
        lifeline = try Lifeline(in: scratch)
        primary = try DatabaseServer("primary", in: folder)
        replica = withReplica ? try DatabaseServer("replica", in: folder) : nil
        removal = try Self.watch(folder, lifeline)
    }

    /// Kills the servers and deletes their folder.
    func remove() async {
        lifeline.end()
        _ = await removal.value
    }

    /// Copies the logs of the servers into a folder.
    func copyLogs(to folder: String) {
        primary.copyLog(to: folder)
        replica?.copyLog(to: folder)
    }

    /// Kills the primary, which is frozen, after the replica has become the new primary.
    ///
    /// So the old one confirms nothing that the new one does not have.
    func failOver(beforeKill: () async throws -> Void) async throws {
        guard let replica else { return }
        primary.freeze()
        try await replica.promote()
        try await beforeKill()
        try await primary.killAll()
    }

    /// Starts the replica, and lets the primary wait for it at each commit from then on.
    private func addReplica() async throws {
        guard let replica else { return }
        try await replica.create(asReplicaOf: primary)
        try await primary.run("ALTER SYSTEM SET synchronous_standby_names = '\(replica.name)'")
        try await primary.run("SELECT pg_reload_conf()")
        try await waitUntil("the replica is synchronous", within: .clusterWait) {
            try await primary.run("SELECT sync_state FROM pg_stat_replication") == "sync"
        }
    }

    /// Starts the program that removes the servers when the lifeline ends.
    private static func watch(_ folder: String, _ lifeline: Lifeline) throws -> Promise<Int32> {
        let null = URL(filePath: "/dev/null")
        let program = try SpawnedProgram(
            ["sh", "-c", Self.script, "sh", lifeline.path, folder],
            output: try FileHandle(forWritingTo: null),
            errors: try FileHandle(forWritingTo: null)
        )
        let removal = Promise<Int32>()
        Thread.detachNewThread { removal.fulfill(program.wait()) }
        return removal
    }

    /// Signals to the process group of the tests do not end this program.
    ///
    /// The current folder of each process of a server is its data folder. A new process may begin while the others are
    /// killed.
    private static let script = """
        trap '' INT TERM HUP
        cat <"$1"
        found=yes
        while [ -n "$found" ]; do
          found=
          for process in /proc/[0-9]*; do
            case $(readlink "$process/cwd") in
              "$2"/*) kill -KILL "${process#/proc/}" && found=yes;;
            esac
          done
        done
        rm -rf "$2"
        """
}
