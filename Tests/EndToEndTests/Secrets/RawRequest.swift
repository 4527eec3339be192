import Foundation
import WaypostTestSupport

/// A request of HTTP/1.1 with the bytes that a test chose, also with ones that no client sends.
struct RawRequest: Sendable {
    var method = "GET"
    var target: String
    var fields: [String] = []
    var body = ""

    /// Returns everything that a listener answers until it closes the connection.
    func answer(of listener: String) async throws -> String {
        guard let port = URL(string: listener)?.port else { throw NoPort(url: listener) }
        let head =
            ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"] + fields
            + ["Content-Length: \(body.utf8.count)"]
        let text = head.joined(separator: "\r\n") + "\r\n\r\n" + body
        // A listener that refuses a request may close the connection before it has read all of it.
        let script = #"exec 3<>"/dev/tcp/127.0.0.1/$1"; cat >&3; timeout 10 cat <&3; exit 0"#
        let answer = try await ExternalCommand.run(["bash", "-c", script, "bash", "\(port)"], input: Data(text.utf8))
        return String(decoding: answer, as: UTF8.self)
    }

    /// Returns requests that have a secret at places that are not meant for it, or a damaged one at its place.
    static func misuses(of secret: String, _ method: String, _ path: String) -> [Self] {
        let targets = ["\(path)?token=\(secret)", "\(path)?\(secret)", "\(path)?\(secret)=1"]
        let fields = [
            "Authorization: Bearer \(secret.dropLast(8))",
            "Authorization: Bearer \(secret)0",
            "Authorization: Bearer \(secret) \(secret)",
            "Authorization: Bearer \(secret)\u{1}",
            "Authorization: Basic \(secret)",
            "Waypost-Control-Token: \(secret)\u{0}",
            "Cookie: token=\(secret)",
            "\(secret): 1",
        ]
        return targets.map { Self(method: method, target: $0) }
            + fields.map { Self(method: method, target: path, fields: [$0]) }
    }

    struct NoPort: Error {
        let url: String
    }
}
