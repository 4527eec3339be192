internal import SchemaFiles

/// Several values, each with the share of the cases in which it is chosen.
package struct WeightedChoice<Value: Sendable & Equatable>: Sendable, Equatable, CustomStringConvertible {
    /// The values and their shares as text.
    package let description: String

    private let values: [Value]

    /// The shares up to each value, added up; the last one is 1.
    private let sums: [Double]

    /// Creates the choice of one value.
    package init(_ value: Value) {
        (values, sums, description) = ([value], [1], "\(value)")
    }

    /// Parses a value, such as `200`, or several ones with their shares, such as `200:90%,4000:10%`.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - accepted: what is accepted as a value, for messages.
    ///   - parse: parses a value, or returns `nil`.
    /// - Throws: `LoadValueError`.
    init(_ text: String, accepted: String, _ parse: (String) -> Value?) throws(LoadValueError) {
        var (values, sums): ([Value], [Double]) = ([], [])
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        for part in parts {
            let fields = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let value = parse(fields[0]) else { throw LoadValueError("'\(fields[0])'; \(accepted)") }
            guard let share = fields.count == 2 ? QuantityText.share(in: fields[1]) : parts.count == 1 ? 1 : nil else {
                throw LoadValueError("'\(part)' has no share; several values need shares, such as A:90%,B:10%")
            }
            values.append(value)
            sums.append((sums.last ?? 0) + share)
        }
        guard let sum = sums.last, abs(sum - 1) < 1e-9 else {
            throw LoadValueError("'\(text)': the shares are \(QuantityText.text(ofShare: sums.last ?? 0)), not 100%")
        }
        (self.values, self.sums, description) = (values, sums, text)
    }

    /// The value, if there is only one.
    var single: Value? {
        values.count == 1 ? values[0] : nil
    }

    /// Returns the value at a number from 0 up to 1.
    func value(at share: Double) -> Value {
        values[sums.firstIndex { share < $0 } ?? values.count - 1]
    }
}
