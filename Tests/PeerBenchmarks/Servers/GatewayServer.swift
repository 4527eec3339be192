import Foundation
import WaypostSchema

/// A gateway with a new folder, which is removed with it.
final class GatewayServer {
    let child: Child
    let ready: GatewayReadyFile

    /// The nanoseconds from its start until all listeners accepted connections.
    let startTime: Int
    private let folder: URL
    private let data: URL

    /// Starts a gateway, and returns when it listens; `data` is the folder of its store, if not a new one.
    init(_ workspace: Workspace, _ arguments: [String] = [], data: URL? = nil) throws {
        folder = try workspace.makeFolder("gateway")
        self.data = data ?? folder.appending(path: "data")
        let file = folder.appending(path: "ready.json")
        let start = Clock.now
        child = try Child(
            "waypost-gateway",
            [
                "--service", "127.0.0.1:0", "--courier", "127.0.0.1:0", "--provider-plaintext", "127.0.0.1:0",
                "--data", self.data.path, "--ready-file", file.path,
            ] + arguments,
            in: folder
        )
        try child.wait { access(file.path, R_OK) == 0 }
        startTime = Clock.now - start
        ready = try JSONDecoder().decode(GatewayReadyFile.self, from: Data(contentsOf: file))
    }

    /// The file of the store.
    var database: URL { data.appending(path: "waypost.sqlite") }

    /// The headers that administer a gateway with authentication.
    var administration: String {
        guard let token = try? String(contentsOf: data.appending(path: "admin-token"), encoding: .utf8) else {
            return ""
        }
        return "Authorization: Bearer \(token.trimmingCharacters(in: .newlines))\r\n"
    }

    func servicePort() throws -> Int { try port(ready.service) }

    func courierPort() throws -> Int { try port(ready.courier) }

    func stop() {
        child.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    private func port(_ url: String) throws -> Int {
        guard let port = URL(string: url)?.port else { throw Failure("\(url) has no port") }
        return port
    }
}

extension GatewayServer {
    /// Registers devices, and returns them.
    func register(_ count: Int) throws -> [Device] {
        let poller = Poller()
        let port = try servicePort()
        let connections = try (0..<16).map { try poller.connect(.control, $0, port: port) }
        let headers = administration
        var devices: [Device] = []
        var sent = 0
        func registerNext(_ connection: Connection) throws {
            guard sent < count else { return }
            sent += 1
            let body = #"{"name":"device-\#(sent)","topics":["\#(Item.topic)"]}"#
            connection.output.append("POST /v1/devices HTTP/1.1\r\nHost: localhost\r\n\(headers)")
            connection.output.append("Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            try poller.flush(connection)
        }
        for connection in connections { try registerNext(connection) }
        while devices.count < count {
            try poller.wait(milliseconds: 10_000) { connection in
                connection.input.append(try poller.receive(from: connection))
                guard let answer = HTTPAnswer(connection.input.bytes) else { return }
                let body = UnsafeBufferPointer(rebasing: connection.input.bytes[answer.body])
                guard let token = body.string(after: #""token":""#), let secret = body.string(after: #""secret":""#)
                else { throw Failure("a device was not registered: \(String(decoding: body, as: UTF8.self))") }
                devices.append(Device(token: token, secret: secret))
                connection.input.consume(answer.body.upperBound)
                try registerNext(connection)
            }
        }
        return devices
    }

    /// Sends a request to the service, and returns the body of the answer.
    func call(_ request: String, body: String = "") throws -> String {
        let poller = Poller()
        let connection = try poller.connect(.control, 0, port: try servicePort())
        connection.output.append("\(request) HTTP/1.1\r\nHost: localhost\r\n\(administration)")
        connection.output.append("Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        try poller.flush(connection)
        while true {
            try poller.wait(milliseconds: 10_000) { connection.input.append(try poller.receive(from: $0)) }
            guard let answer = HTTPAnswer(connection.input.bytes) else { continue }
            let body = String(decoding: connection.input.bytes[answer.body], as: UTF8.self)
            guard (200...299).contains(answer.status) else { throw Failure("\(request): \(answer.status) \(body)") }
            return body
        }
    }
}
