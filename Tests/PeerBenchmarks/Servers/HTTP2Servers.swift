import Foundation

/// A server that answers HTTP/2 requests with 200, as a peer of the provider API.
final class HTTP2Server {
    let child: Child
    let url: String
    private let folder: URL

    private init(_ child: Child, _ scheme: String, _ port: Int, _ folder: URL) throws {
        (self.child, self.folder) = (child, folder)
        url = "\(scheme)://127.0.0.1:\(port)"
        try child.wait { Loopback.accepts(port) }
    }

    /// Starts nginx, which answers without reading anything from a disk.
    ///
    /// For TLS, `certificate` is the folder with the certificate and the key.
    static func nginx(_ workspace: Workspace, certificate: URL? = nil) throws -> HTTP2Server {
        let folder = try workspace.makeFolder("nginx")
        let port = try Loopback.freePort()
        let tls = certificate.map {
            "ssl_certificate \($0.path)/server.pem; ssl_certificate_key \($0.path)/server-key.pem;"
        }
        // A single process, as h2load has a single thread.
        let configuration = """
            daemon off; master_process off; worker_processes 1; pid nginx.pid; error_log log warn;
            events { worker_connections 1024; }
            http {
              access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
              uwsgi_temp_path uwsgi; scgi_temp_path scgi;
              server {
                listen 127.0.0.1:\(port) http2\(tls == nil ? "" : " ssl"); \(tls ?? "")
                keepalive_requests 1000000000;
                location / { return 200; }
              }
            }

            """
        try Data(configuration.utf8).write(to: folder.appending(path: "nginx.conf"))
        let child = try Child("nginx", ["-e", "log", "-p", folder.path, "-c", "nginx.conf"], in: folder)
        return try HTTP2Server(child, tls == nil ? "http" : "https", port, folder)
    }

    /// Starts nghttpd, which answers a request with an empty file.
    static func nghttpd(_ workspace: Workspace, path: String) throws -> HTTP2Server {
        let folder = try workspace.makeFolder("nghttpd")
        let file = folder.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data().write(to: file)
        let port = try Loopback.freePort()
        let child = try Child("nghttpd", ["--no-tls", "-d", folder.path, "-a", "127.0.0.1", "\(port)"], in: folder)
        return try HTTP2Server(child, "http", port, folder)
    }

    func stop() {
        child.stop()
        try? FileManager.default.removeItem(at: folder)
    }
}
