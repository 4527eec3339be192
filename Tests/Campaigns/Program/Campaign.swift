/// A kind of attack on a running gateway that is repeated with many seeds.
///
/// A campaign makes all its choices with the seed of a trial, so a trial can be repeated with the same choices.
protocol Campaign: Sendable {
    /// The name in commands and reports.
    static var name: String { get }

    /// One sentence that says what is done to the programs, and what is checked.
    static var summary: String { get }

    /// Runs one trial.
    ///
    /// - Parameter trial: The seed, the programs and the folder of the trial.
    /// - Returns: The operations that were done, and the violations that were found.
    /// - Throws: An error of the harness, such as a program that cannot be started. A promise that does not hold is a
    ///   violation, not an error.
    static func run(_ trial: CampaignTrial) async throws -> TrialOutcome
}

/// The result of a trial.
struct TrialOutcome: Sendable {
    /// The number of requests, deliveries and acknowledgements that were checked.
    var operations = 0

    /// The number of times that a program was killed, stopped or given a fault.
    var faults = 0

    /// Sentences, each about one promise that did not hold, with the identifiers that show it.
    var violations: [String] = []

    /// Other counts, by a short name such as `duplicates`.
    var counts: [String: Int] = [:]

    /// The highest values, by a phrase such as `MiB at most with slow readers`.
    ///
    /// Of several trials the highest counts: a sum of the memory of gateways that ran one after another says nothing.
    var peaks: [String: Int] = [:]

    /// Whether the machine lacks a program without which no trial of the campaign can run.
    var isImpossible = false

    /// Records a value of which the highest counts.
    mutating func recordPeak(_ value: Int, _ name: String) {
        peaks[name] = max(peaks[name] ?? value, value)
    }

    /// Adds the numbers and violations of another trial.
    mutating func add(_ other: TrialOutcome) {
        operations += other.operations
        faults += other.faults
        violations += other.violations
        counts.merge(other.counts, uniquingKeysWith: +)
        for (name, value) in other.peaks { recordPeak(value, name) }
    }
}
