import BatchItems
import Foundation
import JSONScanning

extension FuzzTarget {
    /// A batch: lines of JSON, or an array.
    static let items = FuzzTarget(
        name: "items",
        summary: "items of batches; each alone has the same result, and Foundation reads the same fields"
    ) { bytes in
        ItemPromises(Array(bytes)).check()
    }
}

/// The guarantees of the reader of batches for any bytes.
private struct ItemPromises {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Ends the program if a guarantee is violated.
    func check() {
        var reader = BatchItemReader(bytes)
        var (line, position, index) = (1, 0, 0)
        do throws(BatchItemReader.BodyError) {
            while let entry = try reader.next() {
                promise(entry.index == index, "items are numbered from 0", found: entry)
                promise(entry.offset >= position, "items do not overlap", found: entry)
                line += bytes[position..<entry.offset].count { $0 == UInt8(ascii: "\n") }
                promise(entry.line == line, "the line of an item is that of its first byte", found: entry)
                check(entry)
                (position, index) = (entry.offset, index + 1)
            }
        } catch {
            promise(0...bytes.count ~= error.jsonError.offset, "an error is in the batch", found: error)
            let count = bytes.prefix(error.jsonError.offset).count { $0 == UInt8(ascii: "\n") }
            promise(error.line == count + 1, "the line of an error is that of its byte", found: error)
        }
    }

    private func check(_ entry: BatchItemReader.Entry) {
        let range = entry.offset..<(entry.offset + entry.length)
        promise(range.upperBound <= bytes.count, "an item is in the batch", found: entry)
        do throws(ScannedItemError) {
            let item = try ScannedItem.scan(bytes, in: range)
            promise(entry.result == .success(item), "an item has the same result alone", found: (entry, item))
            check(item, in: range)
        } catch {
            promise(entry.result == .failure(error), "an item has the same error alone", found: (entry, error))
            promise(range.contains(error.offset) || range.upperBound == error.offset, "an error is in its item")
            let place = entry.location(of: error.offset, in: bytes)
            promise(place.line >= entry.line && place.column >= 1, "an error has a place", found: place)
            promise(!error.description.isEmpty, "an error has a message")
        }
    }

    private func check(_ item: ScannedItem, in range: Range<Int>) {
        promise(range.contains(item.payload.lowerBound), "a payload is in its item", found: item)
        promise(JSONError.first(in: Array(bytes[item.payload])) == nil, "a payload is JSON", found: item)
        do {
            let fields = try JSONDecoder().decode(FoundationFields.self, from: Data(bytes[range]))
            let isSame = FoundationFields(item, bytes).isEqual(to: fields)
            promise(isSame, "Foundation reads the same fields", found: fields)
        } catch {
            promise(false, "Foundation reads each accepted item", found: error)
        }
    }
}

/// The fields of an item, except its payload, as Foundation decodes them.
private struct FoundationFields: Decodable {
    var token: String
    var topic: String
    var pushType: String?
    var priority: Int?
    var expiration: Int?
    var collapseID: String?
    var id: String?

    init(_ item: ScannedItem, _ bytes: [UInt8]) {
        token = item.token.string(in: bytes)
        topic = item.topic.string(in: bytes)
        pushType = item.pushType?.string(in: bytes)
        priority = item.priority
        expiration = item.expiration
        collapseID = item.collapseID?.string(in: bytes)
        id = item.id?.string(in: bytes)
    }

    /// Returns whether all fields have the same bytes; for `==`, equivalent characters are the same.
    func isEqual(to other: Self) -> Bool {
        priority == other.priority && expiration == other.expiration && strings == other.strings
    }

    private var strings: [[UInt8]?] {
        [token, topic, pushType, collapseID, id].map { string in string.map { Array($0.utf8) } }
    }
}
