extension String {
    /// The text as a JSON string, in its quotation marks; slashes are not escaped.
    public var quotedJSON: String {
        quoted { $0.value < 0x20 }
    }

    /// The same with every control character escaped, for what somebody may look at in a terminal.
    public var printableJSON: String {
        quoted { $0.value < 0x20 || 0x7F...0x9F ~= $0.value }
    }

    private func quoted(escaping isEscaped: (Unicode.Scalar) -> Bool) -> String {
        // Most texts have nothing to escape.
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
