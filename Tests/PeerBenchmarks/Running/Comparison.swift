/// A comparison of a figure of Waypost with those of other subjects, measured alternately.
struct Comparison {
    let name: String
    let quantities: [Quantity]

    /// Waypost, and then the subjects that it is compared with.
    let subjects: [Subject]

    init(_ name: String, _ quantities: [Quantity], _ subjects: [Subject]) {
        (self.name, self.quantities, self.subjects) = (name, quantities, subjects)
    }

    /// Measures all subjects, in turn in each round.
    func run(rounds: Int) throws -> [[Sample]] {
        var samples = [[Sample]](repeating: [], count: subjects.count)
        for _ in 0..<rounds {
            for (index, subject) in subjects.enumerated() { samples[index].append(try subject.measure()) }
        }
        return samples
    }

    /// Returns the comparison of Waypost's processor time for each item with that of the first peer.
    func ofProcessorTime() -> Self {
        let subjects = subjects.prefix(2).map { subject in
            Subject(subject.name) {
                guard let time = try subject.measure().serverMicros, time > 0 else {
                    throw Failure("the processor time of \(subject.name) is unknown")
                }
                return Sample([time])
            }
        }
        return Self("processor time, \(name)", [Quantity(unit: .processorMicroseconds)], subjects)
    }
}

/// A figure that a comparison measures.
struct Quantity {
    /// The words after the name of the comparison, such as "p99"; empty if the comparison has a single figure.
    var name = ""
    let unit: Unit

    enum Unit: String, Codable {
        case perSecond = "/s"
        case milliseconds = "ms"
        case nanoseconds = "ns"
        case processorMicroseconds = "µs"
        case bytes = "B"

        var isHigherBetter: Bool { self == .perSecond }
    }
}

/// A program, or a configuration of one, that a comparison measures.
struct Subject {
    let name: String
    let measure: () throws -> Sample

    init(_ name: String, _ measure: @escaping () throws -> Sample) {
        (self.name, self.measure) = (name, measure)
    }
}

/// The result of a measurement.
struct Sample {
    /// One value for each quantity of the comparison.
    let values: [Double]

    /// The processor time of the server for each item, in microseconds.
    var serverMicros: Double?

    /// The share of the time for which the client, which has a single thread, ran or waited for a processor.
    var clientShare: Double?

    init(_ values: [Double]) {
        self.values = values
    }

    /// Creates the result of a run with a number of items, whose value is the rate unless there are others.
    init(_ usage: Usage, items: Int, values: [Double]? = nil) {
        self.values = values ?? [Double(items) / usage.wall]
        serverMicros = usage.server * 1e6 / Double(items)
        clientShare = usage.client / usage.wall
    }
}
