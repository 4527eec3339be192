import Glibc

/// Bytes that are appended at the end and consumed from the start, in memory that is reused.
struct ByteQueue: ~Copyable {
    private var memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
    private var capacity = 256
    private var start = 0
    private var end = 0

    deinit {
        memory.deallocate()
    }

    var count: Int { end - start }

    /// The queued bytes, valid until the queue changes.
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: memory + start, count: count)
    }

    /// Returns memory for `count` more bytes, which `fill(_:)` makes part of the queue.
    mutating func room(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        if end + count > capacity { move(withRoomFor: count) }
        return memory + end
    }

    /// Adds bytes that were written into the room.
    mutating func fill(_ count: Int) {
        end += count
    }

    mutating func consume(_ count: Int) {
        start += count
        if start == end { (start, end) = (0, 0) }
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        memcpy(room(bytes.count), source, bytes.count)
        fill(bytes.count)
    }

    mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    mutating func append(_ byte: UInt8) {
        room(1).pointee = byte
        fill(1)
    }

    /// Appends a number that is not negative, in digits of a base up to 16.
    mutating func append(_ number: Int, base: Int = 10) {
        var (digits, scale) = (1, 1)
        while number / scale >= base { (digits, scale) = (digits + 1, scale * base) }
        let place = room(digits)
        for index in 0..<digits {
            let digit = UInt8(number / scale % base)
            place[index] = digit < 10 ? digit + UInt8(ascii: "0") : digit - 10 + UInt8(ascii: "a")
            scale = max(1, scale / base)
        }
        fill(digits)
    }

    private mutating func move(withRoomFor more: Int) {
        let used = count
        // Consumed bytes are only overwritten if that makes at least half of the memory free.
        if used + more > capacity / 2 {
            capacity = (used + more) * 2
            let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
            memcpy(larger, memory + start, used)
            memory.deallocate()
            memory = larger
        } else {
            memmove(memory, memory + start, used)
        }
        (start, end) = (0, used)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the first place of `text` at or after `from`, or `nil`.
    func place(of text: StaticString, from: Int = 0) -> Int? {
        guard let start = baseAddress else { return nil }
        let length = text.utf8CodeUnitCount
        var place = from
        while place + length <= count {
            let first = Int32(text.utf8Start.pointee)
            guard let found = memchr(start + place, first, count - length + 1 - place) else { return nil }
            place = found - UnsafeMutableRawPointer(mutating: start)
            if memcmp(start + place, text.utf8Start, length) == 0 { return place }
            place += 1
        }
        return nil
    }

    func hasPrefix(_ text: StaticString) -> Bool {
        guard let start = baseAddress, count >= text.utf8CodeUnitCount else { return false }
        return memcmp(start, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    /// Returns the number whose decimal digits begin at `place`, or 0.
    func number(at place: Int) -> Int {
        var (value, place) = (0, place)
        while place < count, self[place] >= UInt8(ascii: "0"), self[place] <= UInt8(ascii: "9") {
            value = value * 10 + Int(self[place] - UInt8(ascii: "0"))
            place += 1
        }
        return value
    }

    /// Returns the number that follows `text`, or `nil` if the text is absent.
    func number(after text: StaticString) -> Int? {
        place(of: text).map { number(at: $0 + text.utf8CodeUnitCount) }
    }

    /// Returns the text between `before` and the next quotation mark, or `nil`.
    func string(after before: StaticString) -> String? {
        guard let place = place(of: before).map({ $0 + before.utf8CodeUnitCount }) else { return nil }
        return self.place(of: "\"", from: place).map { String(decoding: self[place..<$0], as: UTF8.self) }
    }
}
