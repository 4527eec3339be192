/// An event of a run that reports to a gateway.
public enum RunEvent: Sendable, Equatable {
    /// A scenario with this name begins; the steps that follow are its own.
    case scenario(String)

    /// A step of a scenario begins or ends.
    case step(RunStep)

    /// A trial of a provider ended.
    ///
    /// The case is indirect because results are large, and a run may have thousands of other events.
    indirect case trial(ProviderTrialResult)

    /// A second of a load test or a fleet is over.
    case figures(RunFigures)

    /// A part of the report.
    case table(RunTable)

    /// A text of the report, on one or more lines.
    case note(String)

    /// The run ended.
    case ended(RunOutcome)
}

extension RunEvent: Codable {
    /// The names of the events: the values of `type`.
    public enum Kind: String, StringEnum {
        case scenario
        case step
        case trial
        case figures
        case table
        case note
        case ended
    }

    private enum Field: String, CodingKey {
        case figures
        case name
        case outcome
        case step
        case table
        case text
        case trial
    }

    /// Parses an event: an object whose `type` names it.
    public init(from decoder: any Decoder) throws {
        let fields = try TaggedFields<Field>(decoder)
        self =
            switch try fields.kind() as Kind {
            case .scenario: .scenario(try fields.read(.name))
            case .step: .step(try fields.read(.step))
            case .trial: .trial(try fields.read(.trial))
            case .figures: .figures(try fields.read(.figures))
            case .table: .table(try fields.read(.table))
            case .note: .note(try fields.read(.text))
            case .ended: .ended(try fields.read(.outcome))
            }
    }

    /// Writes the name and the field of the event.
    public func encode(to encoder: any Encoder) throws {
        try encoder.encode(taggedValues)
    }

    private var taggedValues: TaggedValues<Kind, Field> {
        switch self {
        case .scenario(let name): (.scenario, [.name: name])
        case .step(let step): (.step, [.step: step])
        case .trial(let result): (.trial, [.trial: result])
        case .figures(let figures): (.figures, [.figures: figures])
        case .table(let table): (.table, [.table: table])
        case .note(let text): (.note, [.text: text])
        case .ended(let outcome): (.ended, [.outcome: outcome])
        }
    }
}
