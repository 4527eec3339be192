import GatewayClient

extension FuzzTarget {
    /// The limit of an event, the sizes of the pieces, and the stream.
    static let eventStreams = FuzzTarget(
        name: "event-streams",
        summary: "event streams in pieces of any size; the events are those of the whole stream and of a second parser"
    ) { bytes in
        guard bytes.count > 2 else { return }
        let limit = Int(bytes[0]) * 4 + 1
        let sizes = bytes.dropFirst(2).prefix(Int(bytes[1] % 8) + 1)
        let stream = Array(bytes.dropFirst(2 + sizes.count))
        let whole = events(of: [stream[...]], maximumEventSize: ServerSentEventParser.maximumEventSize)
        promise(
            whole == SpecifiedEvents.events(of: stream),
            "events are those of the specification",
            found: whole as Any
        )
        let parts = pieces(of: stream, sizes: sizes.map { Int($0) + 1 })
        let other = events(of: parts, maximumEventSize: ServerSentEventParser.maximumEventSize)
        promise(whole == other, "events do not depend on the pieces", found: other as Any)
        let limited = events(of: [stream[...]], maximumEventSize: limit)
        promise(limited == nil || limited == whole, "a limit changes no event", found: limited as Any)
        promise(
            limited == events(of: parts, maximumEventSize: limit),
            "a limit does not depend on the pieces",
            found: limited as Any
        )
    }

    /// Returns the types, identifiers and data of the events of a stream; `nil` if one is too large.
    private static func events(of pieces: [ArraySlice<UInt8>], maximumEventSize: Int) -> [[String]]? {
        var parser = ServerSentEventParser(maximumEventSize: maximumEventSize)
        var events: [[String]] = []
        for piece in pieces {
            guard let next = try? parser.parse(piece) else { return nil }
            events += next.map { [$0.type, $0.id, $0.data] }
        }
        return events
    }

    /// Returns a stream in pieces of some sizes, which repeat.
    private static func pieces(of stream: [UInt8], sizes: [Int]) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var rest = stream[...]
        while !rest.isEmpty {
            let piece = rest.prefix(sizes[pieces.count % sizes.count])
            rest = rest.dropFirst(piece.count)
            pieces.append(piece)
        }
        return pieces
    }
}

/// The algorithm of the specification, which decodes the whole stream first (WHATWG HTML, 9.2.6).
private enum SpecifiedEvents {
    static func events(of stream: [UInt8]) -> [[String]] {
        var events: [[String]] = []
        var (type, id, data) = (Text(), Text(), Text())
        for line in lines(of: stream) {
            guard !line.isEmpty else {
                if !data.isEmpty {
                    let name = type.isEmpty ? "message" : String(type)
                    events.append([name, String(id), String(Text(data.dropLast()))])
                }
                (type, data) = (Text(), Text())
                continue
            }
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            var value = line[colon...].dropFirst()
            if value.first == " " { value = value.dropFirst() }
            switch String(Text(line[..<colon])) {
            case "event": type = Text(value)
            case "data":
                data.append(contentsOf: value)
                data.append("\n")
            case "id" where !value.contains("\0"): id = Text(value)
            default: break
            }
        }
        return events
    }

    private typealias Text = String.UnicodeScalarView

    /// Returns the complete lines of a stream.
    private static func lines(of stream: [UInt8]) -> [Text] {
        var scalars = String(decoding: stream, as: UTF8.self).unicodeScalars[...]
        if scalars.first == "\u{FEFF}" { scalars = scalars.dropFirst() }
        var lines: [Text] = []
        var line = Text()
        var previous: Unicode.Scalar = " "
        for scalar in scalars {
            defer { previous = scalar }
            if scalar == "\n", previous == "\r" { continue }
            if scalar == "\n" || scalar == "\r" {
                lines.append(line)
                line = Text()
            } else {
                line.append(scalar)
            }
        }
        return lines
    }
}
