/// An argument of a statement.
///
/// It has a type in PostgreSQL even if it is `NULL`.
enum PostgresValue {
    case integer(Int?)
    case boolean(Bool?)
    case text(String?)
    case bytes([UInt8]?)
    case integers([Int?])
    case booleans([Bool])
    case texts([String?])
    case byteStrings([[UInt8]])

    /// The OID of the type (`pg_type.dat`).
    var typeOID: UInt32 {
        switch self {
        case .boolean: 16
        case .bytes: 17
        case .integer: 20
        case .text: 25
        case .booleans: 1_000
        case .byteStrings: 1_001
        case .texts: 1_009
        case .integers: 1_016
        }
    }

    /// Whether the argument is `NULL`.
    var isNull: Bool {
        switch self {
        case .integer(let value): value == nil
        case .boolean(let value): value == nil
        case .text(let value): value == nil
        case .bytes(let value): value == nil
        case .integers, .booleans, .texts, .byteStrings: false
        }
    }

    /// Appends the binary form; nothing for `NULL`.
    func encode(to bytes: inout [UInt8]) {
        switch self {
        case .integer(let value): if let value { Self.append(Int64(value), to: &bytes) }
        case .boolean(let value): if let value { bytes.append(value ? 1 : 0) }
        case .text(let value): if let value { bytes += value.utf8 }
        case .bytes(let value): if let value { bytes += value }
        case .integers(let values):
            Self.encode(values, of: 20, to: &bytes) { value, bytes in
                guard let value else { return Self.append(UInt32.max, to: &bytes) }
                Self.append(UInt32(8), to: &bytes)
                Self.append(Int64(value), to: &bytes)
            }
        case .booleans(let values):
            Self.encode(values, of: 16, to: &bytes) { value, bytes in
                Self.append(UInt32(1), to: &bytes)
                bytes.append(value ? 1 : 0)
            }
        case .texts(let values):
            Self.encode(values, of: 25, to: &bytes) { value, bytes in
                guard let text = value?.utf8 else { return Self.append(UInt32.max, to: &bytes) }
                Self.append(UInt32(text.count), to: &bytes)
                bytes += text
            }
        case .byteStrings(let values):
            Self.encode(values, of: 17, to: &bytes) { value, bytes in
                Self.append(UInt32(value.count), to: &bytes)
                bytes += value
            }
        }
    }

    /// Appends a one-dimensional array: its header, then each element with its length, which is -1 for `NULL`
    /// (`array_recv`).
    private static func encode<Element>(
        _ values: [Element],
        of type: UInt32,
        to bytes: inout [UInt8],
        _ encode: (Element, inout [UInt8]) -> Void
    ) {
        // The number of dimensions, whether elements may be NULL, the type, the length, the first index.
        let header = values.isEmpty ? [0, 1, type] : [1, 1, type, UInt32(values.count), 1]
        for word in header { append(word, to: &bytes) }
        for value in values { encode(value, &bytes) }
    }

    private static func append(_ word: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: word.bigEndian) { bytes += $0 }
    }
}
