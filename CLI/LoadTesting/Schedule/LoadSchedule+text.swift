internal import Foundation
internal import SchemaFiles

/// Returns the natural logarithm.
func naturalLogarithm(_ value: Double) -> Double {
    log(value)
}

extension LoadSchedule {
    /// Creates a schedule from text.
    ///
    /// - Parameters:
    ///   - text: a rate per second, such as `2000`; a ramp, such as `100..2000`; or steps with their lengths, such as
    ///     `500:10s,1000..2000:30s`.
    ///   - seconds: the length of a schedule whose text has none.
    /// - Throws: `LoadValueError`.
    package init(_ text: String, seconds: Double) throws(LoadValueError) {
        var segments: [Segment] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let fields = part.split(separator: ":", omittingEmptySubsequences: false)
            guard let first = fields.first, fields.count <= 2, let rates = Self.rates(String(first)) else {
                throw LoadValueError("'\(part)' is no rate; use 2000, 100..2000, or 500:10s,1000:20s")
            }
            var length = seconds
            if fields.count == 2 {
                guard let milliseconds = DurationText.milliseconds(in: String(fields[1])), milliseconds > 0 else {
                    throw LoadValueError("'\(fields[1])' is no length; use a number and a unit, such as 10s")
                }
                length = Double(milliseconds) / 1_000
            } else if text.contains(",") {
                throw LoadValueError("'\(part)' has no length; use steps such as 500:10s,1000:20s")
            }
            segments.append(Segment(seconds: length, startRate: rates.start, endRate: rates.end))
        }
        self.init(segments)
    }

    private static let maximumRate = 10_000_000.0

    private static func rates(_ text: String) -> (start: Double, end: Double)? {
        let ends = text.components(separatedBy: "..")
        let rates = ends.compactMap(Double.init).filter { (0...maximumRate).contains($0) }
        guard rates.count == ends.count, let first = rates.first, let last = rates.last, ends.count <= 2 else {
            return nil
        }
        return first + last > 0 ? (first, last) : nil
    }

    /// Creates a schedule from recorded rates: a line for each second.
    ///
    /// - Parameter recording: the text of the file; empty lines and lines that begin with `#` are ignored.
    /// - Throws: `LoadValueError` that names the line.
    package init(recording: String) throws(LoadValueError) {
        var segments: [Segment] = []
        for (index, line) in recording.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.isEmpty || text.hasPrefix("#") { continue }
            guard let rate = Double(text), (0...Self.maximumRate).contains(rate) else {
                throw LoadValueError(
                    "line \(index + 1): '\(text)' is no rate; use one number from 0 to 10000000 a line",
                    isInFile: true
                )
            }
            segments.append(Segment(seconds: 1, startRate: rate, endRate: rate))
        }
        guard segments.contains(where: { $0.startRate > 0 }) else {
            throw LoadValueError(
                "there is no rate above 0; use one number a line, the items of a second",
                isInFile: true
            )
        }
        self.init(segments)
    }
}
