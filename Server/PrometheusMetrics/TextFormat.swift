/// The text-based exposition format of Prometheus, version 0.0.4.
package enum TextFormat {
    /// The media type of the format.
    package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    /// Returns the HELP and TYPE lines of a metric.
    static func headerLines(_ description: MetricDescription) -> [String] {
        let help = description.help.escaped(["\\": "\\\\", "\n": "\\n"])
        return ["# HELP \(description.name) \(help)", "# TYPE \(description.name) \(description.kind.typeName)"]
    }

    /// Returns the line of one value; `bound` is the upper bound of a histogram bucket.
    static func sampleLine(_ name: String, _ labels: MetricLabels, value: Double, bound: Double? = nil) -> String {
        var pairs = labels.labels.map { label in
            "\(label.name)=\"\(label.value.escaped(["\\": "\\\\", "\n": "\\n", "\"": "\\\""]))\""
        }
        if let bound { pairs.append("le=\"\(numberText(bound))\"") }
        return name + (pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}") + " " + numberText(value)
    }

    /// Returns a number in Go's syntax; whole numbers have no fraction.
    static func numberText(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return Int(exactly: value).map(String.init) ?? "\(value)"
    }
}

extension String {
    /// Returns the string with characters replaced by their escapes.
    ///
    /// It works on scalars: Swift treats CR LF as one character, the format as two.
    fileprivate func escaped(_ escapes: [Unicode.Scalar: String]) -> String {
        unicodeScalars.reduce(into: "") { $0 += escapes[$1] ?? String($1) }
    }
}
