import BatchItems

/// Returns why `bytes` are no item, or `nil` where they are one.
func scanError(_ bytes: [UInt8]) -> ScannedItemError? {
    do throws(ScannedItemError) {
        _ = try ScannedItem.scan(bytes, in: bytes.indices)
        return nil
    } catch {
        return error
    }
}

/// Returns why `bytes` are not JSON, or `nil` where they are, be it an item or not.
func jsonFault(_ bytes: [UInt8]) -> JSONFault? {
    guard case .invalidJSON(let fault) = scanError(bytes)?.problem else { return nil }
    return fault
}

/// Returns whether `value` is one JSON value, by scanning an item that has it as a field nobody knows.
func isValue(_ value: String) -> Bool {
    jsonFault(Array(#"{"x":\#(value)}"#.utf8)) == nil
}
