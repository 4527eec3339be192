/// The packets of MQTT 3.1.1 that the benchmark needs (OASIS, "MQTT Version 3.1.1", chapter 3).
enum MQTT {
    /// A packet among received bytes.
    struct Packet {
        enum Kind {
            case publish, publishAcknowledged, subscribed, other
        }

        let kind: Kind
        let body: Range<Int>
        var end: Int { body.upperBound }

        /// Returns `nil` if the packet at the place is incomplete.
        init?(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
            var (place, length, shift) = (start + 1, 0, 0)
            while true {
                guard place < bytes.count else { return nil }
                let byte = bytes[place]
                length |= Int(byte & 0x7F) << shift
                (place, shift) = (place + 1, shift + 7)
                if byte & 0x80 == 0 { break }
            }
            guard bytes.count - place >= length else { return nil }
            body = place..<(place + length)
            kind =
                switch bytes[start] >> 4 {
                case 3: .publish
                case 4: .publishAcknowledged
                case 9: .subscribed
                default: .other
                }
        }
    }

    /// Appends the packet that opens a persistent session.
    static func appendConnect(_ client: String, to output: inout ByteQueue) {
        output.append(UInt8(0x10))
        appendLength(12 + client.utf8.count, to: &output)
        // The protocol's name and level, no flags (so that the session is kept), and no keep-alive.
        append("MQTT", to: &output)
        for byte: UInt8 in [4, 0, 0, 0] { output.append(byte) }
        append(client, to: &output)
    }

    /// Appends a subscription to a topic with quality of service 1.
    static func appendSubscribe(_ topic: String, to output: inout ByteQueue) {
        output.append(UInt8(0x82))
        appendLength(5 + topic.utf8.count, to: &output)
        append(UInt16(1), to: &output)
        append(topic, to: &output)
        output.append(UInt8(1))
    }

    /// Appends a message with quality of service 1, of the same size as an item.
    static func appendPublish(
        _ number: Int,
        _ topic: String,
        _ identifier: UInt16,
        due time: Int,
        to output: inout ByteQueue
    ) {
        let start = output.count
        output.append(UInt8(0x32))
        // The length takes two bytes.
        appendLength(Item.size - 3, to: &output)
        append(topic, to: &output)
        append(identifier, to: &output)
        Item.appendPayload(number, due: time, upTo: start + Item.size, to: &output)
    }

    /// Appends the acknowledgement of a received message.
    static func appendAcknowledgement(
        of packet: Packet,
        in bytes: UnsafeBufferPointer<UInt8>,
        to output: inout ByteQueue
    ) {
        let topic = Int(bytes[packet.body.lowerBound]) << 8 | Int(bytes[packet.body.lowerBound + 1])
        let identifier = packet.body.lowerBound + 2 + topic
        output.append(UInt8(0x40))
        output.append(UInt8(2))
        output.append(bytes[identifier])
        output.append(bytes[identifier + 1])
    }

    private static func appendLength(_ length: Int, to output: inout ByteQueue) {
        var rest = length
        while rest > 0x7F {
            output.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        output.append(UInt8(rest))
    }

    private static func append(_ number: UInt16, to output: inout ByteQueue) {
        output.append(UInt8(number >> 8))
        output.append(UInt8(number & 0xFF))
    }

    private static func append(_ text: String, to output: inout ByteQueue) {
        append(UInt16(text.utf8.count), to: &output)
        output.append(text)
    }
}
