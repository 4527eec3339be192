internal import CPostgres

/// The address of a database: a connection URI of libpq, such as `postgres://waypost@db.example/waypost`.
///
/// Beyond this machine, the server must prove its name with a certificate (`sslmode=verify-full`).
package struct PostgresAddress: Sendable, Equatable, CustomStringConvertible {
    /// The reason why an address cannot be used.
    package enum Refusal: Error, Sendable, Equatable, CustomStringConvertible {
        /// libpq cannot be used, for this reason.
        case libraryMissing(String)

        /// It is not a connection URI, for libpq's reason.
        case malformed(String)

        /// The connection to a host would not be protected.
        case unprotected(host: String, mode: String)

        /// A description of what is wrong and what would be accepted.
        package var description: String {
            switch self {
            case .libraryMissing(let reason):
                "a store on PostgreSQL needs its client library: apt-get install libpq5 (\(reason))"
            case .malformed(let reason):
                "the store's address is not a URI of PostgreSQL (\(reason)); for example postgres://waypost@localhost/waypost"
            case .unprotected(let host, let mode):
                """
                the store is on another machine (\(host)), so sslmode=\(mode) is not accepted; leave it out, or use \
                sslmode=verify-full with sslrootcert=FILE
                """
            }
        }
    }

    private let uri: String
    private let options: [String: String]

    /// Creates the address from a connection URI.
    package init(_ uri: String) throws(Refusal) {
        // A connection needs an address, so no function of libpq is called before this.
        if let reason = waypost_load_libpq() { throw .libraryMissing(String(cString: reason)) }
        var message: UnsafeMutablePointer<CChar>?
        guard let parsed = PQconninfoParse(uri, &message) else {
            defer { PQfreemem(message) }
            throw .malformed(message.map { Self.singleLine(of: $0) } ?? "no memory")
        }
        defer { PQconninfoFree(parsed) }
        var options: [String: String] = [:]
        var option = parsed
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { options[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        self.uri = uri
        self.options = options
        if let host = remoteHost, let mode = options["sslmode"], mode != "verify-full" {
            throw .unprotected(host: host, mode: mode)
        }
    }

    /// Whether the URI has a password, which others could see on a command line.
    package var hasPassword: Bool {
        options["password"] != nil
    }

    /// The address without its password, for people.
    package var description: String {
        let host = options["host"] ?? options["hostaddr"] ?? "local socket"
        return "PostgreSQL, \(host), database \(options["dbname"] ?? options["user"] ?? "default")"
    }

    /// The parameters of a connection for libpq; a later one has precedence.
    var parameters: [(name: String, value: String)] {
        [
            ("sslmode", remoteHost == nil ? "prefer" : "verify-full"),
            ("connect_timeout", "2"),
            ("tcp_user_timeout", "5000"),
            ("keepalives_idle", "5"),
            ("keepalives_interval", "5"),
            ("keepalives_count", "2"),
            ("application_name", "waypost"),
            ("dbname", uri),
            ("client_encoding", "UTF8"),
            ("target_session_attrs", "read-write"),
        ]
    }

    /// Returns a message of libpq, which may have several lines, as one line.
    static func singleLine(of message: UnsafePointer<CChar>) -> String {
        singleLine(of: String(cString: message))
    }

    /// Returns a message, which may have several lines, as one line.
    static func singleLine(of message: String) -> String {
        message.split(whereSeparator: \.isNewline)
            .map { $0.drop(while: \.isWhitespace) }.joined(separator: "; ")
    }

    /// A host that is not this machine, if there is one.
    private var remoteHost: String? {
        let hosts = (options["hostaddr"] ?? options["host"] ?? "").split(separator: ",")
        return hosts.first { !Self.isLocal($0) }.map(String.init)
    }

    private static func isLocal(_ host: Substring) -> Bool {
        host.isEmpty || host.hasPrefix("/") || host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }
}
