internal import TextBasics

extension String {
    /// The string as a JSON string, with quotation marks; slashes are not escaped.
    public var quotedJSON: String {
        // Most strings have nothing to escape.
        guard utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") })
        else { return "\"" + self + "\"" }
        var quoted = "\""
        quoted.reserveCapacity(utf8.count + 2)
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\0"..<" ": quoted += "\\u" + Hexadecimal.string(UInt16(scalar.value))
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// The string as a JSON string in which all invisible characters are escaped, safe to print to a terminal.
    public var printableJSON: String {
        quotedJSON.safe(for: .json)
    }
}
