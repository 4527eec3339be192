import Foundation

/// The metrics of a scrape, parsed strictly by Prometheus' text format 0.0.4.
package struct PrometheusText: Sendable {
    /// A single value.
    package struct Sample: Sendable {
        /// The name, including the suffix of a part of a histogram.
        package var name: String

        /// The labels by name.
        package var labels: [String: String]

        /// The value.
        package var value: Double
    }

    /// The values of one metric.
    package struct Family: Sendable {
        /// The metric's type.
        package var type: String

        /// The description of the metric.
        package var help: String

        /// The values, in the order of the text.
        package var samples: [Sample] = []
    }

    /// An error in a text.
    package struct ParseError: Error, CustomStringConvertible {
        /// A sentence that names the line.
        package var description: String
    }

    /// The metrics by name.
    package private(set) var families: [String: Family] = [:]

    /// The names of the metrics, in the order of the text.
    package private(set) var names: [String] = []

    /// Parses a text.
    ///
    /// - Throws: `ParseError` if the text is not valid.
    package init(_ text: String) throws {
        guard text.isEmpty || text.hasSuffix("\n") else { throw ParseError(description: "the last line has no end") }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        var help: (name: String, text: String)?
        for line in lines {
            if let rest = line.wholeMatch(of: /# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) ([^\n]*)/) {
                guard help == nil else { throw ParseError(description: "two HELP lines: \(line)") }
                help = (String(rest.1), try Self.unescaped(rest.2, quotes: false))
            } else if let rest = line.wholeMatch(of: /# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)/) {
                let name = String(rest.1)
                guard help?.name == name, families[name] == nil else {
                    throw ParseError(description: "TYPE without its HELP, or twice: \(line)")
                }
                families[name] = Family(type: String(rest.2), help: help?.text ?? "")
                names.append(name)
                help = nil
            } else {
                try add(try Self.sample(line), line)
            }
        }
        for (name, family) in families where family.type == "histogram" { try Self.checkHistogram(name, family) }
    }

    /// Returns the value of a name with exactly these `labels`, or `nil` if there is none.
    package func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        families.values.lazy.flatMap(\.samples).first { $0.name == name && $0.labels == labels }?.value
    }

    private mutating func add(_ sample: Sample, _ line: Substring) throws {
        guard let name = names.last, var family = families[name] else {
            throw ParseError(description: "a value without a TYPE line: \(line)")
        }
        let suffixes = family.type == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        guard suffixes.contains(where: { name + $0 == sample.name }) else {
            throw ParseError(description: "not a value of \(name): \(line)")
        }
        guard !family.samples.contains(where: { $0.name == sample.name && $0.labels == sample.labels }) else {
            throw ParseError(description: "a repeated series: \(line)")
        }
        guard family.type == "gauge" || sample.value >= 0 || sample.name.hasSuffix("_sum") else {
            throw ParseError(description: "a negative value: \(line)")
        }
        family.samples.append(sample)
        families[name] = family
    }

    private static func sample(_ line: Substring) throws -> Sample {
        let pattern = /([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[^"]|"(?:[^"\\]|\\.)*")*)\})? (\S+)/
        guard let match = line.wholeMatch(of: pattern) else { throw ParseError(description: "not a value: \(line)") }
        var labels: [String: String] = [:]
        var rest = match.2 ?? ""
        while !rest.isEmpty {
            guard let label = rest.prefixMatch(of: /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)/) else {
                throw ParseError(description: "not a label: \(line)")
            }
            let previous = labels.updateValue(try unescaped(label.2, quotes: true), forKey: String(label.1))
            guard previous == nil else { throw ParseError(description: "a repeated label: \(line)") }
            rest = rest[label.range.upperBound...]
        }
        return Sample(name: String(match.1), labels: labels, value: try number(match.3))
    }

    private static func number(_ text: Substring) throws -> Double {
        switch text {
        case "+Inf": return .infinity
        case "-Inf": return -.infinity
        case "NaN": return .nan
        default:
            guard text.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?/) != nil, let value = Double(text) else {
                throw ParseError(description: "not a number: \(text)")
            }
            return value
        }
    }

    private static func unescaped(_ text: Substring, quotes: Bool) throws -> String {
        var (result, isEscaped) = ("", false)
        for character in text.unicodeScalars {
            switch (isEscaped, character) {
            case (false, "\\"): isEscaped = true
            case (true, "\\"), (true, "n"):
                result += character == "n" ? "\n" : "\\"
                isEscaped = false
            case (true, "\"") where quotes:
                result += "\""
                isEscaped = false
            case (true, _): throw ParseError(description: "an invalid escape: \(text)")
            case (false, _): result.unicodeScalars.append(character)
            }
        }
        guard !isEscaped else { throw ParseError(description: "an incomplete escape: \(text)") }
        return result
    }

    private static func checkHistogram(_ name: String, _ family: Family) throws {
        let series = Dictionary(grouping: family.samples) { $0.labels.filter { $0.key != "le" } }
        for (labels, samples) in series {
            let buckets = try samples.filter { $0.name == name + "_bucket" }
                .map { (bound: try number(Substring($0.labels["le"] ?? "")), count: $0.value) }
            let count = samples.first { $0.name == name + "_count" }?.value
            guard buckets.last?.bound == .infinity, buckets.last?.count == count,
                samples.contains(where: { $0.name == name + "_sum" }),
                zip(buckets, buckets.dropFirst()).allSatisfy({ $0.bound < $1.bound && $0.count <= $1.count })
            else { throw ParseError(description: "an invalid histogram: \(name) \(labels)") }
        }
    }
}
