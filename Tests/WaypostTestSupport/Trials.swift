internal import Foundation

/// The number of repetitions of tests that repeat something with random choices, and the seeds of the choices.
///
/// `make test` has few repetitions; `make trials` sets the variables to have more, or others.
package enum Trials {
    /// How many times as many repetitions there are as in `make test`.
    package static let factor = number("WAYPOST_TRIALS") ?? 1

    /// Added to each seed, so that another number makes other choices.
    private static let shift = UInt64(number("WAYPOST_SEED") ?? 0)

    /// Returns the seed that a test uses instead of `seed`.
    package static func seed(_ seed: UInt64) -> UInt64 {
        seed &+ shift
    }

    /// Returns the seeds of a test with `count` repetitions in `make test`, the first of which is `first` there.
    package static func seeds(_ count: Int, from first: UInt64 = 0) -> Range<UInt64> {
        let first = seed(first)
        return first..<first + UInt64(count * factor)
    }

    private static func number(_ variable: String) -> Int? {
        ProcessInfo.processInfo.environment[variable].flatMap(Int.init).flatMap { $0 < 0 ? nil : $0 }
    }
}
