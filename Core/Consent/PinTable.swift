internal import HashTreeCollections
internal import WaypostSchema

/// The pins by content key; those of each key are sorted, the earliest first.
struct PinTable: Sendable, Equatable, Codable {
    private var pinsByKey: TreeDictionary<ContentKey, [Pin]> = [:]

    /// The pins of `key`.
    subscript(key: ContentKey) -> [Pin] {
        pinsByKey[key] ?? []
    }

    /// Adds `pin`; if its message already has a pin of `key`, the later of the two is kept.
    ///
    /// - Returns: whether the message had no pin of `key`.
    mutating func insert(_ pin: Pin, of key: ContentKey) -> Bool {
        var pins = self[key]
        let previousPin = pins.firstIndex { $0.message == pin.message }.map { pins.remove(at: $0) }
        let laterPin = previousPin.map { $0.moment > pin.moment ? $0 : pin } ?? pin
        pins.insert(laterPin, at: pins.firstIndex { $0.moment > laterPin.moment } ?? pins.endIndex)
        pinsByKey[key] = pins
        return previousPin == nil
    }

    /// Removes the pin of `key` in `message`.
    ///
    /// - Returns: whether there was one.
    mutating func remove(_ key: ContentKey, message: MessageID) -> Bool {
        let pins = self[key]
        let otherPins = pins.filter { $0.message != message }
        pinsByKey[key] = otherPins.isEmpty ? nil : otherPins
        return otherPins.count < pins.count
    }

    /// Moves the pins of `old` to `new`.
    mutating func rekey(_ old: ContentKey, to new: ContentKey) {
        for pin in pinsByKey.removeValue(forKey: old) ?? [] {
            _ = insert(pin, of: new)
        }
    }
}
