internal import Foundation

/// The numbers of repetitions and the seeds of tests that make random choices.
///
/// `make test` has few repetitions; `make test TRIALS=10 SEED=1` has more, and makes other choices.
package enum Trials {
    /// The factor by which the numbers of repetitions exceed those of `make test`.
    package static let factor = number("WAYPOST_TRIALS") ?? 1

    /// The number that is added to each seed; another number leads to other random choices.
    private static let seedOffset = UInt64(number("WAYPOST_SEED") ?? 0)

    /// Returns the seed that a test uses instead of `seed`.
    package static func seed(_ seed: UInt64) -> UInt64 {
        seed &+ seedOffset
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
