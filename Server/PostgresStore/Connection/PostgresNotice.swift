internal import CPostgres

/// A message of the server, or of libpq, that is not the error of a statement.
package struct PostgresNotice: Sendable, Equatable {
    /// The severity in English, such as `NOTICE` or `WARNING`.
    package var severity: String

    /// The message.
    package var message: String

    /// More about the message, if there is any.
    package var detail: String?

    /// A suggestion, if there is any.
    package var hint: String?

    /// Creates the value from its parts.
    package init(severity: String, message: String, detail: String? = nil, hint: String? = nil) {
        self.severity = severity
        self.message = message
        self.detail = detail
        self.hint = hint
    }

    /// Whether the server only informs: nothing is wrong.
    package var isInformation: Bool {
        ["NOTICE", "INFO", "LOG", "DEBUG"].contains(severity)
    }
}

extension PostgresNotice {
    /// Reads a notice from the result that libpq passes to its receiver.
    fileprivate init(_ result: OpaquePointer) {
        func field(_ code: Unicode.Scalar) -> String? {
            let value = PQresultErrorField(result, Int32(code.value))
            return value.map { String(cString: $0) }
        }
        self.init(
            severity: field("V") ?? field("S") ?? "WARNING",
            message: field("M") ?? "",
            detail: field("D"),
            hint: field("H")
        )
    }
}

/// The receiver of the notices of a connection, which must exist as long as the connection.
///
/// Without one, libpq writes notices to standard error, which is for the log.
final class PostgresNoticeReceiver: Sendable {
    private let onNotice: @Sendable (PostgresNotice) -> Void

    init(_ onNotice: @escaping @Sendable (PostgresNotice) -> Void) {
        self.onNotice = onNotice
    }

    /// Makes libpq pass the notices of a connection to the receiver.
    func receiveNotices(of connection: OpaquePointer) {
        PQsetNoticeReceiver(
            connection,
            { context, result in
                guard let context, let result else { return }
                let receiver = Unmanaged<PostgresNoticeReceiver>.fromOpaque(context).takeUnretainedValue()
                receiver.onNotice(PostgresNotice(result))
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }
}
