extension String {
    /// The string as a JSON string, with quotation marks; slashes are not escaped.
    public var quotedJSON: String {
        quoted { $0.value < 0x20 }
    }

    /// The string as a JSON string in which all control characters are escaped, safe to print to a terminal.
    public var printableJSON: String {
        quoted { $0.value < 0x20 || 0x7F...0x9F ~= $0.value }
    }

    private func quoted(escaping isEscaped: (Unicode.Scalar) -> Bool) -> String {
        // Most strings have nothing to escape.
        guard utf8.contains(where: { $0 < 0x20 || $0 > 0x7E || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") })
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
            case _ where isEscaped(scalar):
                quoted += "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
