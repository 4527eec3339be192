extension String {
    /// The text as a JSON string, in its quotation marks.
    ///
    /// Slashes are not escaped; control characters are, all of them, as somebody may look at it in a terminal.
    public var quotedJSON: String {
        // Most texts have nothing to escape.
        guard utf8.contains(where: { $0 < 0x20 || $0 > 0x7E || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") })
        else {
            return "\"" + self + "\""
        }
        var quoted = "\""
        quoted.reserveCapacity(utf8.count + 2)
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\u{0}"..<" ", "\u{7F}"..."\u{9F}":
                quoted += "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
