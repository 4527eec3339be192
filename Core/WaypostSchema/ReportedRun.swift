/// A run of scenarios, of a load test or of a fleet that reports to a gateway, so that its console shows it.
public struct ReportedRun: Codable, Sendable, Equatable {
    /// The identifier.
    public var id: RunID

    /// The kind of run.
    public var kind: RunKind

    /// The name, such as that of a file.
    public var name: String

    /// The time at which the run was announced.
    public var startedAt: Timestamp

    /// The time at which the run ended; absent while it goes on.
    public var endedAt: Timestamp?

    /// The end of the run; absent while it goes on.
    public var outcome: RunOutcome?

    /// The number of events that the gateway has.
    public var events: Int

    /// The number of further events, for which there was no room.
    public var omitted: Int

    /// Creates the value from its parts.
    public init(
        id: RunID,
        kind: RunKind,
        name: String,
        startedAt: Timestamp,
        endedAt: Timestamp? = nil,
        outcome: RunOutcome? = nil,
        events: Int = 0,
        omitted: Int = 0
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.outcome = outcome
        self.events = events
        self.omitted = omitted
    }
}

/// The identifier of a reported run, which the gateway chooses.
public struct RunID: StringIdentifier {
    /// The identifier's text.
    public let rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The kinds of runs that report to a gateway.
public enum RunKind: String, StringChoice {
    /// Scenarios, one after another.
    case scenarios

    /// A load test.
    case load

    /// A fleet of devices.
    case fleet
}

/// The ends of a run.
public enum RunOutcome: String, StringChoice {
    /// Everything was as expected.
    case passed

    /// Something was not as expected.
    case failed

    /// The run was interrupted, or the gateway heard no more of it.
    case interrupted
}

/// The announcement of a run.
public struct RunAnnouncement: Codable, Sendable, Equatable {
    /// The kind of run.
    public var kind: RunKind

    /// The name, such as that of a file.
    public var name: String

    /// Creates the value from its parts.
    public init(kind: RunKind, name: String) {
        self.kind = kind
        self.name = name
    }
}

/// The runs that reported to a gateway, in a namespace.
public struct ReportedRunList: Codable, Sendable, Equatable {
    /// The runs, the latest first.
    public var runs: [ReportedRun]

    /// Creates the value from its parts.
    public init(runs: [ReportedRun]) {
        self.runs = runs
    }
}

/// Events of a run, in order: what a program reports, and a page of what the gateway has.
public struct RunEventList: Codable, Sendable, Equatable {
    /// The events.
    public var events: [RunEvent]

    /// Creates the value from its parts.
    public init(events: [RunEvent]) {
        self.events = events
    }
}

/// A step of a scenario, as its run reports it.
public struct RunStep: Codable, Sendable, Equatable {
    /// The state of a step.
    public enum State: String, StringChoice {
        /// The step began; its end is another event.
        case running

        /// Everything was as expected.
        case passed

        /// Something was not as expected.
        case failed

        /// An earlier step failed.
        case skipped

        /// The expectation was replaced by what happened.
        case updated
    }

    /// The step in words.
    public var text: String

    /// The state.
    public var state: State

    /// The result in a few words, or the problem if the step failed.
    public var message: String?

    /// The place of the step: file, line and column.
    public var place: String?

    /// The differences, if an expectation is not met.
    public var differences: [RunDifference]?

    /// The explanation of a failure, on several lines.
    public var explanation: String?

    /// Creates the value from its parts.
    public init(
        text: String,
        state: State,
        message: String? = nil,
        place: String? = nil,
        differences: [RunDifference]? = nil,
        explanation: String? = nil
    ) {
        self.text = text
        self.state = state
        self.message = message
        self.place = place
        self.differences = differences
        self.explanation = explanation
    }
}

/// The expected value of a field, and the actual one.
public struct RunDifference: Codable, Sendable, Equatable {
    /// The field of the expectation.
    public var field: String

    /// The expected value.
    public var expected: String

    /// The actual value.
    public var actual: String

    /// Creates the value from its parts.
    public init(field: String, expected: String, actual: String) {
        self.field = field
        self.expected = expected
        self.actual = actual
    }
}

/// The figures of a second of a load test or a fleet.
public struct RunFigures: Codable, Sendable, Equatable {
    /// The number of the second, from 0; negative during a warm-up.
    public var second: Int

    /// The figures by name.
    public var values: [String: Double]

    /// Creates the value from its parts.
    public init(second: Int, values: [String: Double]) {
        self.second = second
        self.values = values
    }
}

/// A table of a report.
public struct RunTable: Codable, Sendable, Equatable {
    /// The titles of the columns.
    public var header: [String]

    /// The rows, each with a cell for each column.
    public var rows: [[String]]

    /// Creates the value from its parts.
    public init(header: [String], rows: [[String]]) {
        self.header = header
        self.rows = rows
    }
}
