import Foundation

/// A Mosquitto broker with persistent sessions, which writes to the disk only when it ends.
final class MosquittoServer {
    let child: Child
    let port: Int

    /// The nanoseconds from its start until it listened.
    let startTime: Int
    private let folder: URL

    /// Starts a broker, and returns when it listens; `data` is the folder of its stored messages, if not a new one.
    init(_ workspace: Workspace, data: URL? = nil) throws {
        folder = try workspace.makeFolder("mosquitto")
        port = try Loopback.freePort()
        let configuration = folder.appending(path: "mosquitto.conf")
        // Without the user, a broker that root starts runs as one that cannot write to the folder.
        let lines = """
            listener \(port) 127.0.0.1
            user root
            allow_anonymous true
            persistence true
            persistence_location \((data ?? folder).path)/
            autosave_interval 1800
            max_inflight_messages 1000
            max_queued_messages 0
            set_tcp_nodelay true

            """
        try Data(lines.utf8).write(to: configuration)
        let start = Clock.now
        child = try Child("mosquitto", ["-c", configuration.path], in: folder)
        try child.wait { [port] in Loopback.accepts(port) }
        startTime = Clock.now - start
    }

    func stop() {
        child.stop()
        try? FileManager.default.removeItem(at: folder)
    }
}
