import BatchItems
import JSONScanning

/// Returns the error of `bytes` as an item, or `nil` if they are an item.
func scanError(_ bytes: [UInt8]) -> ScannedItemError? {
    do throws(ScannedItemError) {
        _ = try ScannedItem.scan(bytes, in: bytes.indices)
        return nil
    } catch {
        return error
    }
}

/// Returns the error of `bytes` as JSON, or `nil` if they are JSON, item or not.
func jsonError(_ bytes: [UInt8]) -> JSONError? {
    guard case .invalidJSON(let error) = scanError(bytes)?.problem else { return nil }
    return error
}

/// Returns an item with `value` in a field that the scanner skips.
func item(withUnknown value: String) -> [UInt8] {
    Array(#"{"token":"a","topic":"b","payload":{},"x":\#(value)}"#.utf8)
}
