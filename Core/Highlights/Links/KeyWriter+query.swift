internal import UniversalLinks

extension KeyWriter {
    /// Writes a query whose escapes are normalized: its items without tracking parameters, sorted by name.
    mutating func writeQuery(_ query: ArraySlice<UInt8>) {
        record(.emptyQuery, if: url.spelling.contains(.emptyQuery))
        guard !query.isEmpty else { return }
        var items: [QueryItem] = []
        let parameters = TrackingParameters(host: url.host)
        for bytes in query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            let item = QueryItem(bytes)
            if bytes.isEmpty {
                record(.emptyItems)
            } else if parameters.contains(item.name) {
                record(.trackingParameter(String(decoding: item.name, as: UTF8.self)))
            } else {
                items.append(item)
            }
        }
        write(items)
    }

    private mutating func write(_ items: [QueryItem]) {
        let isSorted = zip(items, items.dropFirst()).allSatisfy { !$1.isBefore($0) }
        record(.itemOrder, if: !isSorted)
        var separator = UInt8(ascii: "?")
        // The sort is stable (SE-0372), so items with the same name keep their order.
        for item in isSorted ? items : items.sorted(by: { $0.isBefore($1) }) {
            append(CollectionOfOne(separator))
            append(item.bytes)
            separator = UInt8(ascii: "&")
        }
    }
}

/// An item of a query as it is written.
private struct QueryItem {
    let bytes: ArraySlice<UInt8>

    /// The text before the equals sign.
    let name: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        name = bytes.prefix { $0 != UInt8(ascii: "=") }
    }

    func isBefore(_ other: QueryItem) -> Bool {
        name.lexicographicallyPrecedes(other.name)
    }
}
