internal import Foundation
internal import GatewayStore

/// The reason why a statement failed.
enum PostgresError: Error, Equatable {
    /// The connection is lost, or cannot be opened now: the server is not running, cannot be reached, or is starting.
    case disconnected(String)

    /// A connection cannot be opened for a reason that time alone does not change, such as a wrong password.
    case rejected(String)

    /// The server has not responded in time.
    case timedOut

    /// The server refused a statement, for the reason with this SQLSTATE.
    case refused(code: String, message: String)

    /// Returns the error of a transaction that read outdated data and must be retried.
    static func conflict(_ reason: String) -> Self {
        .refused(code: "40001", message: reason)
    }

    /// Whether another transaction was in the way: this one has not changed anything, and can be made again.
    var isTransient: Bool {
        guard case .refused(let code, _) = self else { return false }
        // A unique key that another handle has added in the meantime is found when the transaction is made again.
        return ["40001", "40P01", "23505"].contains(code)
    }

    /// The reason, for people.
    var reason: String {
        switch self {
        case .disconnected(let reason), .rejected(let reason): reason
        case .timedOut: "the server does not answer"
        case .refused(let code, let message): "\(message) (\(code))"
        }
    }

    /// Whether the connection must be closed.
    var endsConnection: Bool {
        switch self {
        case .disconnected, .rejected, .timedOut: true
        // The server shuts down, ended an idle transaction, or no longer accepts writes because another one does.
        case .refused(let code, _): code.hasPrefix("57P") || code.hasPrefix("25P03") || code == "25006"
        }
    }
}

extension PostgresError {
    /// The SQLSTATEs of a server that accepts no connections now: it shuts down, starts, recovers, or has too many.
    private static let startingCodes: Set<String> = ["57P01", "57P02", "57P03", "53300"]

    /// The reasons of the system, and of libpq, for which no server has answered, or only one that is a standby.
    ///
    /// Programs that do not choose a language for messages get them in English.
    private static let networkFailures: [String] =
        [ECONNREFUSED, ECONNRESET, ECONNABORTED, ENOENT, EPIPE, ETIMEDOUT, EHOSTUNREACH, EHOSTDOWN, ENETUNREACH]
        .map { String(cString: strerror($0)) }
        + [
            "timeout expired", "could not translate host name", "server closed the connection unexpectedly",
            "SSL SYSCALL error: EOF detected", "session is read-only",
        ]

    /// Creates the error of a connection that libpq could not open, from its verbose message.
    ///
    /// A reason of the server begins with its SQLSTATE. There is a reason for each host that was tried; one that time
    /// does not change counts more than the others.
    init(connecting message: String) {
        let lines = message.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("LOCATION:") }
        let reason = lines.joined(separator: "\n")
        var reasonsByHost: [String] = []
        for line in lines {
            if line.hasPrefix("connection to server") || reasonsByHost.isEmpty {
                reasonsByHost.append(String(line))
            } else {
                reasonsByHost[reasonsByHost.count - 1] += "\n\(line)"
            }
        }
        let isTemporary = !reasonsByHost.isEmpty && reasonsByHost.allSatisfy(Self.isTemporary)
        let line = PostgresAddress.singleLine(of: reason)
        self = isTemporary ? .disconnected(line) : .rejected(line)
    }

    /// Returns whether the reason for which one host could not be reached may pass by itself.
    private static func isTemporary(_ reason: String) -> Bool {
        let codes = reason.matches(of: #/:  ([0-9A-Z]{5}): /#).map { String($0.output.1) }
        return codes.isEmpty ? networkFailures.contains(where: reason.contains) : startingCodes.isSuperset(of: codes)
    }
}

extension StoreError {
    /// Maps an error of PostgreSQL to an error of the store (PostgreSQL, appendix A, "Error Codes").
    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case PostgresError.disconnected, PostgresError.rejected, PostgresError.timedOut: self = .unavailable
        case PostgresError.refused(let code, let message): self = Self.kind(of: code, message)
        default: self = .failed("\(error)")
        }
    }

    private static func kind(of code: String, _ message: String) -> Self {
        switch code {
        case "53100": .full
        case "25006": .unavailable
        case "55P03", "40001", "40P01": .busy
        case _ where ["08", "57", "53"].contains(code.prefix(2)) || code == "25P03": .unavailable
        default: .failed("PostgreSQL: \(message) (\(code))")
        }
    }
}
