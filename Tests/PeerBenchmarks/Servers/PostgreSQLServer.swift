import Foundation
import Glibc

/// A PostgreSQL server with its own settings for durability, in a new folder.
final class PostgreSQLServer {
    private let child: Child
    private let folder: URL
    private let port: Int

    /// Starts a server, and returns when it listens.
    init(_ workspace: Workspace) throws {
        folder = try workspace.makeFolder("postgresql")
        port = try Loopback.freePort()
        child = try Child("sh", ["-c", Self.script, "sh", folder.path, "\(port)"], in: folder)
        let ready = folder.appending(path: "ready").path
        try child.wait { access(ready, R_OK) == 0 }
    }

    /// The URI of the database for a gateway.
    var uri: String { "postgres://waypost@127.0.0.1:\(port)/postgres?sslmode=disable" }

    func stop() {
        child.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// PostgreSQL refuses to run as root, so the script uses the account of Debian's package then.
    private static let script = """
        set -eu
        bin=$(ls -d /usr/lib/postgresql/*/bin | sort --version-sort | tail -n 1)
        as=
        if [ "$(id -u)" -eq 0 ]; then
          chown postgres "$1"
          chmod a+x "$(dirname "$1")"
          as='setpriv --reuid=postgres --regid=postgres --clear-groups'
        fi
        cd "$1"
        $as "$bin/initdb" --pgdata=data --username=waypost --auth=trust --encoding=UTF8 --locale=C >initdb
        $as "$bin/pg_ctl" --pgdata=data --log=server --wait start --options="-c listen_addresses=127.0.0.1 -c port=$2 \
          -c unix_socket_directories= -c shared_buffers=256MB -c max_wal_size=4GB" >start
        trap '$as "$bin/pg_ctl" --pgdata=data --mode=immediate stop >stop; exit 0' TERM INT HUP
        touch ready
        while :; do sleep 1 & wait $!; done
        """
}
