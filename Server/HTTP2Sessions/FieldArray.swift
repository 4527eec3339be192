internal import CNghttp2

/// Header fields as libnghttp2 takes them: pointers into bytes that must not move.
enum FieldArray {
    /// Calls `body` with the fields of a response.
    static func with<Value>(
        _ fields: [HTTP2Field],
        _ body: (UnsafeBufferPointer<nghttp2_nv>) -> Value
    ) -> Value {
        var bytes: [UInt8] = []
        for field in fields {
            bytes.append(contentsOf: field.name.utf8)
            bytes.append(contentsOf: field.value.utf8)
        }
        return bytes.withUnsafeMutableBufferPointer { bytes in
            var rest = bytes.baseAddress
            let array = fields.map { field in
                let (nameLength, valueLength) = (field.name.utf8.count, field.value.utf8.count)
                defer { rest = rest.map { $0 + nameLength + valueLength } }
                return nghttp2_nv(
                    name: rest,
                    value: rest.map { $0 + nameLength },
                    namelen: nameLength,
                    valuelen: valueLength,
                    flags: UInt8((field.isIndexed ? NGHTTP2_NV_FLAG_NONE : NGHTTP2_NV_FLAG_NO_INDEX).rawValue)
                )
            }
            return array.withUnsafeBufferPointer(body)
        }
    }
}
