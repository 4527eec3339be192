extension KeyWriter {
    /// Writes a path whose escapes are normalized.
    mutating func writePath(_ path: ArraySlice<UInt8>) {
        record(.emptyPath, if: path.isEmpty)
        var canonical = path
        if path.hasDotSegments {
            canonical = path.withoutDotSegments[...]
            record(.dotSegments)
        }
        var end = canonical.endIndex
        while end > canonical.startIndex, canonical[end - 1] == UInt8(ascii: "/") { end -= 1 }
        if end == canonical.startIndex {
            append("/".utf8)
            record(.trailingSlashes, if: canonical.count > 1)
        } else {
            append(canonical[..<end])
            record(.trailingSlashes, if: end < canonical.endIndex)
        }
    }
}

extension ArraySlice<UInt8> {
    private static var slash: UInt8 { UInt8(ascii: "/") }
    private static var point: UInt8 { UInt8(ascii: ".") }

    /// Whether a segment is `.` or `..`.
    fileprivate var hasDotSegments: Bool {
        var isAtStart = false
        for (index, byte) in zip(indices, self) {
            if isAtStart, byte == Self.point, self[index...].isDotSegmentAtStart { return true }
            isAtStart = byte == Self.slash
        }
        return false
    }

    private var isDotSegmentAtStart: Bool {
        let segment = prefix(3).prefix { $0 != Self.slash }
        return segment.elementsEqual([Self.point]) || segment.elementsEqual([Self.point, Self.point])
    }

    /// The path without the segments `.` and `..` (RFC 3986, section 5.2.4).
    fileprivate var withoutDotSegments: [UInt8] {
        var segments: [ArraySlice<UInt8>] = []
        var isFolder = false
        for segment in dropFirst().split(separator: Self.slash, omittingEmptySubsequences: false) {
            let isUp = segment.elementsEqual([Self.point, Self.point])
            isFolder = isUp || segment.elementsEqual([Self.point])
            if isUp { _ = segments.popLast() } else if !isFolder { segments.append(segment) }
        }
        let path = segments.flatMap { [Self.slash] + $0 }
        return isFolder ? path + [Self.slash] : path
    }
}
