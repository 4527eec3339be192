internal import CPostgres

/// The result of a statement: rows with values in binary form.
final class PostgresResult {
    fileprivate let result: OpaquePointer

    /// Takes ownership of a result of libpq.
    init(_ result: OpaquePointer) {
        self.result = result
    }

    deinit {
        PQclear(result)
    }

    /// The number of rows.
    var count: Int {
        Int(PQntuples(result))
    }

    /// The rows.
    var rows: some RandomAccessCollection<PostgresRow> {
        (0..<count).lazy.map { PostgresRow(result: self, number: Int32($0)) }
    }

    /// The number of rows that the statement changed.
    var changedCount: Int {
        Int(String(cString: PQcmdTuples(result))) ?? 0
    }
}

/// A row of a result.
///
/// The columns have the types that the statement gives them. A value of the wrong type is a mistake in the statement.
struct PostgresRow {
    fileprivate let result: PostgresResult
    fileprivate let number: Int32

    /// The integer in a column; 0 for `NULL`.
    func integer(_ column: Int32) -> Int {
        optionalInteger(column) ?? 0
    }

    /// The integer in a column; `nil` for `NULL`.
    func optionalInteger(_ column: Int32) -> Int? {
        bytes(column)?.withUnsafeBytesOfValue { bytes in
            guard let first = bytes.first else { return 0 }
            // The first byte has the sign.
            return bytes.dropFirst().reduce(Int(Int8(bitPattern: first))) { $0 << 8 | Int($1) }
        }
    }

    /// The boolean in a column; `false` for `NULL`.
    func boolean(_ column: Int32) -> Bool {
        integer(column) != 0
    }

    /// The text in a column; empty for `NULL`.
    func text(_ column: Int32) -> String {
        optionalText(column) ?? ""
    }

    /// The text in a column; `nil` for `NULL`.
    func optionalText(_ column: Int32) -> String? {
        bytes(column)?.withUnsafeBytesOfValue { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes in a column; `nil` for `NULL`.
    func optionalBytes(_ column: Int32) -> [UInt8]? {
        bytes(column)?.withUnsafeBytesOfValue { Array($0) }
    }

    /// The texts of an array in a column, without its `NULL` elements.
    func texts(_ column: Int32) -> [String] {
        bytes(column)?.withUnsafeBytesOfValue { bytes in
            var texts: [String] = []
            // The header has 12 bytes and 8 for each dimension; an empty array has no dimension.
            var rest = bytes.dropFirst(20)
            while rest.count >= 4 {
                let length = rest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
                rest = rest.dropFirst(4)
                guard length != .max else { continue }
                texts.append(String(decoding: rest.prefix(Int(length)), as: UTF8.self))
                rest = rest.dropFirst(Int(length))
            }
            return texts
        } ?? []
    }

    private func bytes(_ column: Int32) -> BorrowedValue? {
        guard PQgetisnull(result.result, number, column) == 0 else { return nil }
        return BorrowedValue(row: self, column: column)
    }

    /// A value that belongs to the result.
    private struct BorrowedValue {
        let row: PostgresRow
        let column: Int32

        /// Calls `body` with the bytes, which are valid during the call.
        func withUnsafeBytesOfValue<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
            withExtendedLifetime(row.result) {
                let result = row.result.result
                let length = Int(PQgetlength(result, row.number, column))
                return body(UnsafeRawBufferPointer(start: PQgetvalue(result, row.number, column), count: length))
            }
        }
    }
}
