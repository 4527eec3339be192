internal import SchemaFiles

/// Several values, each with the share of the cases in which it is chosen.
package struct WeightedChoice<Value: Sendable & Equatable>: Sendable, Equatable, CustomStringConvertible {
    /// The values and their shares as text.
    package let description: String

    private let values: [Value]

    /// The sum of the shares up to each value; the last one is 1.
    private let cumulativeShares: [Double]

    /// Creates the choice of one value.
    package init(_ value: Value) {
        (values, cumulativeShares, description) = ([value], [1], "\(value)")
    }

    /// Parses a value, such as `200`, or several ones with their shares, such as `200:90%,4000:10%`.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - hint: what is accepted as a value, for messages.
    ///   - parse: parses a value, or returns `nil`.
    /// - Throws: `LoadValueError`.
    init(_ text: String, hint: String, _ parse: (String) -> Value?) throws(LoadValueError) {
        var (values, cumulativeShares): ([Value], [Double]) = ([], [])
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        for part in parts {
            let fields = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let value = parse(fields[0]) else { throw LoadValueError("'\(fields[0])'; \(hint)") }
            guard let share = fields.count == 2 ? QuantityText.share(in: fields[1]) : parts.count == 1 ? 1 : nil else {
                throw LoadValueError("'\(part)' has no share; several values need shares, such as A:90%,B:10%")
            }
            values.append(value)
            cumulativeShares.append((cumulativeShares.last ?? 0) + share)
        }
        guard let sum = cumulativeShares.last, abs(sum - 1) < 1e-9 else {
            let total = QuantityText.text(ofShare: cumulativeShares.last ?? 0)
            throw LoadValueError("'\(text)': the shares are \(total), not 100%")
        }
        (self.values, self.cumulativeShares, description) = (values, cumulativeShares, text)
    }

    /// The value, if there is only one.
    var onlyValue: Value? {
        values.count == 1 ? values[0] : nil
    }

    /// Returns the value at a number from 0 up to 1.
    func value(at share: Double) -> Value {
        values[cumulativeShares.firstIndex { share < $0 } ?? values.count - 1]
    }
}
