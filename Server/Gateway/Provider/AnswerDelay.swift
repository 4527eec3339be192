internal import Foundation
internal import NIOCore

/// The time that an answer to a provider takes, as on the way to APNs and back.
package enum AnswerDelay: Sendable, Equatable {
    /// Each answer takes the same time, in milliseconds.
    case fixed(Int)

    /// The times have a log-normal distribution with this median and this 99th percentile, in milliseconds.
    case distribution(median: Int, percentile99: Int)

    /// The longest time of an answer, in milliseconds.
    package static let maximum = 60_000

    /// The 99th percentile of the standard normal distribution.
    private static let normalPercentile99 = 2.326_348

    /// Returns the time of an answer.
    ///
    /// - Parameter randomBytes: returns a number of random bytes.
    /// - Returns: the time.
    func next(randomBytes: (Int) -> [UInt8]) -> TimeAmount {
        switch self {
        case .fixed(let milliseconds): return .milliseconds(Int64(milliseconds))
        case .distribution(let median, let percentile99):
            let spread = log(Double(percentile99) / Double(median)) / Self.normalPercentile99
            let milliseconds = Double(median) * exp(spread * Self.normalNumber(randomBytes(16)))
            return .microseconds(Int64(min(milliseconds, Double(Self.maximum)) * 1_000))
        }
    }

    /// Returns a number of the standard normal distribution (the Box-Muller transform), from 16 random bytes.
    private static func normalNumber(_ bytes: [UInt8]) -> Double {
        let (first, second) = (fraction(bytes.prefix(8)), fraction(bytes.suffix(8)))
        return (-2 * log(first)).squareRoot() * cos(2 * .pi * second)
    }

    /// Returns a number above 0 and up to 1, from random bytes.
    private static func fraction(_ bytes: ArraySlice<UInt8>) -> Double {
        let number = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return (Double(number >> 11) + 1) / Double(1 << 53)
    }
}
