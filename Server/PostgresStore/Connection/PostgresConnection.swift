internal import CPostgres
internal import Foundation

/// A connection to PostgreSQL in the pipeline mode of libpq: it sends several statements, then reads their results.
///
/// It is used by one thread at a time, which it blocks. Statements are prepared when they are first sent.
final class PostgresConnection {
    /// A result that is awaited.
    private enum PendingResult {
        case preparation(sql: String)
        case rows
    }

    private let connection: OpaquePointer
    private let noticeReceiver: PostgresNoticeReceiver

    /// The socket, which another thread may cut.
    let socket: PostgresSocket

    /// The time in milliseconds within which the server must send the next part of a result; -1 for no limit.
    private let responseTimeout: Int32
    private var statementNames: [String: String] = [:]
    private var preparedCount = 0
    private var pendingResults: [PendingResult] = []

    /// Connects to the server.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - responseTimeout: the time within which the server must answer; `nil` for no limit.
    ///   - onNotice: called with each notice of the server, by the thread that uses the connection.
    /// - Throws: `PostgresError`; `.rejected` if it does not help to connect again later.
    init(
        _ address: PostgresAddress,
        responseTimeout: Duration? = nil,
        onNotice: @escaping @Sendable (PostgresNotice) -> Void
    ) throws(PostgresError) {
        let noticeReceiver = PostgresNoticeReceiver(onNotice)
        guard let newConnection = Self.connect(address, noticeReceiver) else {
            throw .disconnected("there is no memory for a connection")
        }
        connection = newConnection
        self.noticeReceiver = noticeReceiver
        socket = PostgresSocket(PQsocket(newConnection))
        self.responseTimeout = responseTimeout.map { Int32($0 / .milliseconds(1)) } ?? -1
        guard PQstatus(connection) == CONNECTION_OK else {
            throw PostgresError(connecting: String(cString: PQerrorMessage(connection)))
        }
        PQsetErrorVerbosity(connection, PQERRORS_DEFAULT)
        guard PQsetnonblocking(connection, 1) == 0, PQenterPipelineMode(connection) == 1 else {
            throw connectionError()
        }
    }

    deinit {
        PQfinish(connection)
    }

    /// Connects to a server, and waits for it; returns `nil` if there is no memory.
    ///
    /// The server may send notices while it accepts a connection, and libpq takes a receiver only for a connection that
    /// exists. So the connection is begun, and then begun again with the receiver, for which libpq waits with its own
    /// time-outs. Messages about failures have the SQLSTATE (`PQERRORS_VERBOSE`).
    private static func connect(_ address: PostgresAddress, _ receiver: PostgresNoticeReceiver) -> OpaquePointer? {
        let parameters = address.parameters
        let connection = withCStrings(parameters.map(\.name)) { names in
            withCStrings(parameters.map(\.value)) { values in PQconnectStartParams(names, values, 1) }
        }
        guard let connection else { return nil }
        receiver.receiveNotices(of: connection)
        PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
        // If there is no server at all, that is certain already.
        if PQstatus(connection) != CONNECTION_BAD { PQreset(connection) }
        return connection
    }

    /// Whether the connection can be used.
    var isAlive: Bool {
        PQstatus(connection) == CONNECTION_OK
    }

    /// Sends a statement, whose result the next `run` or `finish` reads.
    func send(_ sql: String, _ values: [PostgresValue] = []) throws(PostgresError) {
        let name = try prepare(sql, values)
        let status = Self.withArguments(values) { pointers, lengths in
            PQsendQueryPrepared(
                connection,
                name,
                Int32(values.count),
                pointers,
                lengths,
                Array(repeating: 1, count: values.count),
                1
            )
        }
        guard status == 1 else { throw connectionError() }
        pendingResults.append(.rows)
    }

    /// Sends a statement, and waits for it and for those sent before.
    ///
    /// - Returns: the result of the statement.
    /// - Throws: `PostgresError` if any of them failed; the later ones were not executed then.
    func run(_ sql: String, _ values: [PostgresValue] = []) throws(PostgresError) -> PostgresResult {
        try send(sql, values)
        guard let last = try finish().last else { throw .disconnected("the server sent no result") }
        return last
    }

    /// Waits for all statements that were sent.
    ///
    /// - Returns: their results.
    /// - Throws: `PostgresError` if any of them failed; the later ones were not executed then.
    @discardableResult
    func finish() throws(PostgresError) -> [PostgresResult] {
        guard !pendingResults.isEmpty else { return [] }
        guard PQpipelineSync(connection) == 1 else { throw connectionError() }
        try flush()
        var results: [PostgresResult] = []
        var failure: PostgresError?
        for pendingResult in pendingResults {
            do throws(PostgresError) {
                let result = try readNextResult()
                if case .rows = pendingResult { results.append(result) }
            } catch {
                if case .preparation(let sql) = pendingResult { statementNames[sql] = nil }
                failure = failure ?? error
            }
        }
        pendingResults.removeAll(keepingCapacity: true)
        try readSync()
        if let failure { throw failure }
        return results
    }

    /// Executes statements without arguments, outside of the pipeline.
    func runScript(_ sql: String) throws(PostgresError) {
        try finish()
        guard PQexitPipelineMode(connection) == 1 else { throw connectionError() }
        guard let result = PQexec(connection, sql) else { throw connectionError() }
        defer { PQclear(result) }
        let status = PQresultStatus(result)
        let isSuccessful = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK
        guard isSuccessful else { throw serverError(from: result) }
        guard PQenterPipelineMode(connection) == 1 else { throw connectionError() }
    }

    /// The file descriptor of the connection, for waiting.
    var descriptor: Int32 {
        PQsocket(connection)
    }

    /// Reads the messages of `NOTIFY` that have arrived, without waiting.
    func readNotifications() throws(PostgresError) -> [String] {
        guard PQconsumeInput(connection) == 1, isAlive else { throw connectionError() }
        var messages: [String] = []
        while let notification = PQnotifies(connection) {
            messages.append(String(cString: notification.pointee.extra))
            PQfreemem(notification)
        }
        return messages
    }

    private func prepare(_ sql: String, _ values: [PostgresValue]) throws(PostgresError) -> String {
        if let name = statementNames[sql] { return name }
        preparedCount += 1
        let name = "s\(preparedCount)"
        guard PQsendPrepare(connection, name, sql, Int32(values.count), values.map(\.typeOID)) == 1 else {
            throw connectionError()
        }
        pendingResults.append(.preparation(sql: sql))
        statementNames[sql] = name
        return name
    }

    /// Reads the result of one statement, and the null that follows it.
    private func readNextResult() throws(PostgresError) -> PostgresResult {
        guard let result = try readResultPart() else { throw connectionError() }
        let status = PQresultStatus(result)
        guard status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK else {
            let failure = isAlive ? serverError(from: result) : connectionError()
            PQclear(result)
            if isAlive { while let rest = try readResultPart() { PQclear(rest) } }
            throw failure
        }
        while let rest = try readResultPart() { PQclear(rest) }
        return PostgresResult(result)
    }

    /// Sends what libpq has in its buffer, and reads meanwhile, so that the server never waits for this side.
    private func flush() throws(PostgresError) {
        while true {
            let rest = PQflush(connection)
            guard rest >= 0 else { throw connectionError() }
            guard rest > 0 else { return }
            try wait(for: POLLIN | POLLOUT)
        }
    }

    /// Reads the next part of a statement's result, once it has arrived; `nil` at the end.
    private func readResultPart() throws(PostgresError) -> OpaquePointer? {
        while PQisBusy(connection) == 1 { try wait(for: POLLIN) }
        return PQgetResult(connection)
    }

    /// Waits until the socket is ready, and takes what has arrived.
    private func wait(for events: Int32) throws(PostgresError) {
        var socket = pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
        let count = poll(&socket, 1, responseTimeout)
        guard count != 0 else { throw .timedOut }
        guard count > 0 || errno == EINTR else { throw connectionError() }
        if Int32(socket.revents) & ~POLLOUT != 0 {
            guard PQconsumeInput(connection) == 1 else { throw connectionError() }
        }
    }

    private func readSync() throws(PostgresError) {
        guard isAlive, let result = try readResultPart() else { throw connectionError() }
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_PIPELINE_SYNC else { throw connectionError() }
    }

    private func serverError(from result: OpaquePointer) -> PostgresError {
        guard let code = PQresultErrorField(result, Int32(UInt8(ascii: "C"))) else { return connectionError() }
        let message = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) } ?? ""
        return .refused(code: String(cString: code), message: message)
    }

    private func connectionError() -> PostgresError {
        .disconnected(PostgresAddress.singleLine(of: PQerrorMessage(connection)))
    }
}

/// Arguments of C functions.
extension PostgresConnection {
    /// Calls `body` with a list of strings that ends with null, which is valid during the call.
    private static func withCStrings<Value>(
        _ strings: [String],
        _ body: ([UnsafePointer<CChar>?]) -> Value
    ) -> Value {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies.map { UnsafePointer($0) } + [nil])
    }

    /// Calls `body` with pointers to values and their lengths, which are valid during the call.
    private static func withArguments<Value>(
        _ values: [PostgresValue],
        _ body: ([UnsafePointer<CChar>?], [Int32]) -> Value
    ) -> Value {
        // A byte at the end, so that an empty value has a pointer that is not null.
        var bytes: [UInt8] = []
        let ranges = values.map { value in
            let start = bytes.count
            value.encode(to: &bytes)
            return start..<bytes.count
        }
        bytes.append(0)
        return bytes.withUnsafeBytes { buffer in
            let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            let pointers = zip(values, ranges).map { value, range in
                value.isNull ? nil : start?.advanced(by: range.lowerBound)
            }
            return body(pointers, ranges.map { Int32($0.count) })
        }
    }
}

/// The socket of a connection, for cutting it from another thread.
///
/// It has a descriptor of its own, so that the number cannot belong to another file once libpq has closed the socket.
final class PostgresSocket: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = dup(descriptor)
    }

    deinit {
        close(descriptor)
    }

    /// Ends the connection: the thread that waits for the server gets an error.
    func cut() {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
