internal import ArgumentParser
internal import DeviceFiles
internal import SceneCallbacks
internal import TextReports
internal import WaypostSchema

/// The `waypost callbacks` command, which shows the methods of an app that the system calls.
struct CallbacksCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "callbacks",
        abstract: "Show which methods of an app the system calls for an event, and why it is lost.",
        discussion: """
            With --cause and --state: the calls in order with their sources, the calls that engineers expect in vain, \
            and the mistakes of the app that concern the event. Without one of them: a row for each combination, with \
            the calls that have the event, and its outcome: once, twice, lost, or nothing if it is unknown.

            'callbacks' in an app file has the methods that the app implements, the modifiers of its views if it is an \
            app of SwiftUI, and the values that it reads. \
            'waypost check' finds mistakes in such a file without an event. Exits with 1 if a mistake concerns the \
            event, or if the cause cannot occur in the state.
            """
    )

    /// The first version of iOS with scenes.
    private static let minimumSystem = 13

    @Option(
        help: ArgumentHelp("The app file, in YAML or JSON (default: any app).", valueName: "file"),
        completion: .file()
    )
    var app: String?

    @Option(
        help: ArgumentHelp(
            "The life cycle, without a file: \(LifeCycle.argumentNames) (default: uiScene).",
            valueName: "life-cycle"
        ),
        completion: .list(LifeCycle.allCases.map(\.rawValue)),
        transform: LifeCycle.init(argument:)
    )
    var lifeCycle: LifeCycle?

    @Option(
        help: ArgumentHelp("The cause: \(EventCause.argumentNames) (default: all).", valueName: "cause"),
        completion: .list(EventCause.allCases.map(\.rawValue)),
        transform: EventCause.init(argument:)
    )
    var cause: EventCause?

    @Option(
        help: ArgumentHelp(
            "The state of the app and its scene before: \(InitialState.argumentNames) (default: all).",
            valueName: "state"
        ),
        completion: .list(InitialState.allCases.map(\.rawValue)),
        transform: InitialState.init(argument:)
    )
    var state: InitialState?

    @Option(help: ArgumentHelp("The major version of iOS.", valueName: "version"))
    var system = CallbackSequence.currentSystem

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard system >= Self.minimumSystem else {
            throw ValidationError("--system \(system): use \(Self.minimumSystem), the first one with scenes, or later")
        }
    }

    func perform() async throws {
        let sequences = try sequences()
        if cause != nil, state != nil, let sequence = sequences.first {
            try output.write(sequence) { $0.text }
        } else {
            try output.write(sequences, table: Self.table)
        }
        if sequences.isNo { throw CommandFailure.failed() }
    }

    /// Returns the calls for each cause and state that the options allow.
    ///
    /// - Throws: `FileFindings` or `CommandFailure` if the app file cannot be used.
    func sequences() throws -> [CallbackSequence] {
        let app = try described()
        return (cause.map { [$0] } ?? EventCause.allCases).flatMap { cause in
            (state.map { [$0] } ?? InitialState.allCases).map { state in
                CallbackSequence(for: cause, in: state, of: app, system: system)
            }
        }
    }

    /// Returns the app of the file, or an app of which only the life cycle is given.
    private func described() throws -> AppDescription {
        let anyApp = AppImplementation(lifeCycle: lifeCycle ?? .uiScene)
        guard let path = app else {
            return AppDescription(bundleIdentifier: "app", scenes: [], callbacks: anyApp)
        }
        var described = try AppFile.read(path).app
        guard let callbacks = described.callbacks else {
            StandardError.write("warning: \(path) has no 'callbacks', so the methods of the app are unknown")
            described.callbacks = anyApp
            return described
        }
        guard let lifeCycle, lifeCycle != callbacks.lifeCycle else { return described }
        throw CommandFailure.unusable(
            "--life-cycle is \(lifeCycle.rawValue), but the app of \(path) has \(callbacks.lifeCycle.rawValue); "
                + "leave it out"
        )
    }

    /// Returns a row for each cause and state, and the mistakes below.
    static func table(_ sequences: [CallbackSequence]) -> any TextPresentable {
        let table = TextTable(
            header: ["Cause", "State", "Event", "Calls with the event"],
            rows: sequences.map(\.row),
            wrapsLastColumn: true
        )
        let mistakes = sequences.mistakes
        guard !mistakes.isEmpty else { return table }
        let text = mistakes.map { "\n! \($0.message) [\($0.code.rawValue)]" }.joined()
        return TextParts([table, text])
    }
}

extension CallbackSequence {
    /// The cells of the row in the table: the cause, the state, the outcome and the calls with the event.
    var row: [String] {
        let start = [cause.rawValue, state.rawValue]
        switch outcome {
        case .cannotHappen(let reason): return start + ["", "cannot happen: \(reason)"]
        case .calls: return start + [fate.word, deliveries.map(\.callback.name).joined(separator: ", ")]
        }
    }

    /// Whether the cause can occur in the state.
    fileprivate var isPossible: Bool {
        if case .calls = outcome { true } else { false }
    }
}

extension EventFate {
    /// The outcome in the table; empty if there is none.
    fileprivate var word: String {
        switch self {
        case .noEvent, .unknown: ""
        case .once, .twice, .lost: rawValue
        }
    }
}

extension [CallbackSequence] {
    /// The mistakes that concern any of the events, each of them once.
    var mistakes: [CallbackFinding] {
        var mistakes: [CallbackFinding] = []
        for finding in filter(\.isPossible).flatMap(\.findings) where !mistakes.contains(finding) {
            mistakes.append(finding)
        }
        return mistakes
    }

    /// Whether the answer is no: a mistake concerns an event, or nothing can occur.
    var isNo: Bool {
        !mistakes.isEmpty || !contains(where: \.isPossible)
    }
}
