/// A hash table of texts, with open addressing.
///
/// Unlike a dictionary, it is queried with the bytes of a text, and hashing takes no longer than a comparison. If
/// hashes collide, which the author of a predicate can arrange, a look-up costs as much as the separate comparisons.
struct LiteralTable: Sendable {
    struct Entry: Sendable {
        var bytes: [UInt8]

        /// The index of the node that the text is from.
        var nodeIndex: Int32
    }

    /// Indices of `entries`; -1 for a free slot.
    private let slots: [Int32]
    private let entries: [Entry]

    /// Creates a table of `texts`; the first of several equal texts is used.
    init(_ texts: [(text: String, nodeIndex: Int32)]) {
        var slots = Array(repeating: Int32(-1), count: max(4, texts.count * 2).nextPowerOfTwo)
        var entries: [Entry] = []
        for (text, nodeIndex) in texts {
            let bytes = Array(text.utf8)
            let slot = bytes.withUnsafeBufferPointer { Self.slot(of: $0, in: slots, entries) }
            guard slots[slot] < 0 else { continue }
            slots[slot] = Int32(entries.count)
            entries.append(Entry(bytes: bytes, nodeIndex: nodeIndex))
        }
        self.slots = slots
        self.entries = entries
    }

    /// Returns the index of the node that `text` is from, or `nil` if it is not in the table.
    func nodeIndex(of text: UnsafeBufferPointer<UInt8>) -> Int32? {
        let entryIndex = slots[Self.slot(of: text, in: slots, entries)]
        return entryIndex < 0 ? nil : entries[Int(entryIndex)].nodeIndex
    }

    /// Returns the slot of `text`, or the free slot for it.
    private static func slot(of text: UnsafeBufferPointer<UInt8>, in slots: [Int32], _ entries: [Entry]) -> Int {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash(text)) & mask
        while slots[slot] >= 0, !entries[Int(slots[slot])].bytes.withUnsafeBufferPointer({ $0.isEqual(to: text) }) {
            slot = (slot + 1) & mask
        }
        return slot
    }

    /// Hashes eight bytes at a time.
    private static func hash(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let bytes = UnsafeRawBufferPointer(text)
        var hash = UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15
        var index = 0
        while index + 8 <= bytes.count {
            hash = mix(hash ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            index += 8
        }
        var rest: UInt64 = 0
        while index < bytes.count {
            rest = rest << 8 | UInt64(bytes[index])
            index += 1
        }
        return mix(hash ^ rest)
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        let product = value &* 0xD6E8_FEB8_6659_FD93
        return product ^ (product >> 32)
    }
}

extension Int {
    fileprivate var nextPowerOfTwo: Int {
        1 << (Int.bitWidth - (self - 1).leadingZeroBitCount)
    }
}
