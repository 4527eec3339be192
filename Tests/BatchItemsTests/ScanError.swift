import BatchItems
import JSONScanning

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
func jsonError(_ bytes: [UInt8]) -> JSONError? {
    guard case .invalidJSON(let error) = scanError(bytes)?.problem else { return nil }
    return error
}

/// Returns an item that has `value` as the value of a field that is passed over.
func item(withUnknown value: String) -> [UInt8] {
    Array(#"{"token":"a","topic":"b","payload":{},"x":\#(value)}"#.utf8)
}
