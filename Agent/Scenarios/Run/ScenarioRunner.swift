internal import AsyncHTTPClient
package import Foundation
internal import GatewayClient
internal import LocalFiles
internal import LocalProcesses
internal import NIOCore
internal import NIOHTTP1
internal import SchemaFiles
internal import Synchronization
internal import WaypostSchema

/// Runs scenarios, several at a time.
package struct ScenarioRunner: Sendable {
    /// The progress of a run.
    package enum Progress: Sendable {
        /// A scenario started.
        case scenarioStarted(String)

        /// A step started.
        case stepStarted(String)

        /// A step ended.
        case stepEnded(StepResult)

        /// A scenario ended.
        case scenarioEnded(ScenarioResult)
    }

    /// The gateway to use, or `nil` to start one for each scenario.
    private let gateway: GatewayEndpoints?

    /// The number of scenarios that run at the same time.
    private let jobs: Int

    /// The folder for the files of the runs.
    private let folder: URL

    /// Whether the files of runs that passed are kept too.
    private let keepsEverything: Bool

    /// Whether failed expectations are replaced by what happened.
    private let updatesExpectations: Bool

    /// Creates a runner.
    ///
    /// - Parameters:
    ///   - gateway: the gateway to use, or `nil` to start one for each scenario.
    ///   - jobs: the number of scenarios that run at the same time.
    ///   - folder: the folder for the files of the runs.
    ///   - keepsEverything: whether the files of runs that passed are kept too.
    ///   - updatesExpectations: whether failed expectations are replaced by what happened.
    package init(gateway: GatewayEndpoints?, jobs: Int, folder: URL, keepsEverything: Bool, updatesExpectations: Bool) {
        self.gateway = gateway
        self.jobs = jobs
        self.folder = folder
        self.keepsEverything = keepsEverything
        self.updatesExpectations = updatesExpectations
    }

    /// Runs scenarios, and reports them in their order.
    ///
    /// - Parameters:
    ///   - scenarios: the scenarios.
    ///   - report: called with the progress; the scenarios are reported one after another, even if several run at the
    ///     same time.
    /// - Returns: the results, in the order of the scenarios.
    /// - Throws: `CancellationError`, or `ProcessFailure` if the folder for the files cannot be used.
    package func run(
        _ scenarios: [Scenario],
        report: @escaping @Sendable (Progress) -> Void
    ) async throws -> [ScenarioResult] {
        let orderedReport = OrderedReport(report)
        return try await HTTPClient.withHTTPClient(configuration: .waypost) { http in
            try await withThrowingTaskGroup(of: (Int, ScenarioResult).self) { group in
                var results: [Int: ScenarioResult] = [:]
                for (index, scenario) in scenarios.enumerated() {
                    if index >= jobs, let (endedIndex, result) = try await group.next() { results[endedIndex] = result }
                    group.addTask {
                        let result = try await run(scenario, index: index, http) { orderedReport.add($0, of: index) }
                        orderedReport.end(index)
                        return (index, result)
                    }
                }
                for try await (index, result) in group { results[index] = result }
                return scenarios.indices.compactMap { results[$0] }
            }
        }
    }

    private func run(
        _ scenario: Scenario,
        index: Int,
        _ http: HTTPClient,
        report: @escaping @Sendable (Progress) -> Void
    ) async throws -> ScenarioResult {
        let clock = ContinuousClock()
        let startTime = clock.now
        report(.scenarioStarted(scenario.name))
        let name = "\(index + 1)-\(Workspace.readableName(scenario.name))"
        let workspace = try Workspace(in: folder, named: name)
        let collector = ResultCollector(scenario, report)
        let groups = ProcessGroups()
        defer { groups.end() }
        // Parallel runs must not share a namespace of a gateway, not even those of other machines.
        let namespace = Namespace(rawValue: "scenario-\(UInt64.random(in: 0...UInt64.max))")
        do {
            try await ProcessSupervisor.run { supervisor in
                try await runSteps(
                    of: scenario,
                    workspace,
                    namespace: namespace,
                    supervisor: supervisor,
                    groups: groups,
                    http: http,
                    collector: collector
                )
            }
            await removeNamespace(namespace, http)
        } catch {
            await removeNamespace(namespace, http)
            // After an interruption, processes and calls end with errors that say nothing.
            guard !Task.isCancelled else {
                if !keepsEverything { workspace.remove() }
                throw CancellationError()
            }
            collector.recordError(error)
        }
        var result = collector.result(after: clock.now - startTime)
        if result.isPassed && !keepsEverything {
            workspace.remove()
        } else {
            result.artifacts = workspace.root.path
        }
        report(.scenarioEnded(result))
        return result
    }

    private func runSteps(
        of scenario: Scenario,
        _ workspace: Workspace,
        namespace: Namespace,
        supervisor: ProcessSupervisor,
        groups: ProcessGroups,
        http: HTTPClient,
        collector: ResultCollector
    ) async throws {
        let environment: ScenarioEnvironment
        do {
            environment = try await ScenarioEnvironment(
                scenario,
                in: workspace,
                gateway: gateway,
                namespace: namespace,
                supervisor,
                http: http
            )
        } catch let error as CallError {
            throw StepFailure(error.description)
        }
        collector.recordStart(at: environment.startTime)
        let run = ScenarioRun(environment, supervisor, groups: groups, http: http)
        try await run.applyInitialAirplaneMode()
        for (index, step) in scenario.steps.enumerated() {
            collector.begin(index, step)
            do {
                let answer = try await run.perform(step)
                collector.recordPass(index, step, answer: answer, elapsed: run.elapsedMilliseconds)
            } catch let failure as StepFailure {
                let edits = updatesExpectations ? SourceEdit.edits(for: failure, in: step) : nil
                collector.recordFailure(index, step, failure: failure, edits: edits, elapsed: run.elapsedMilliseconds)
                if edits == nil { break }
            }
        }
        if !collector.hasFailed, let (step, failure) = try await run.finish() {
            collector.recordLateFailure(step, failure)
        }
        if collector.hasFailed || keepsEverything { await run.writeShelfPictures() }
    }

    /// Removes the namespace of a run from a gateway that other programs use too.
    private func removeNamespace(_ namespace: Namespace, _ http: HTTPClient) async {
        guard let gateway,
            var request = try? HTTPClient.Request(
                url: "\(gateway.service)/v1/namespaces/\(namespace)",
                method: .DELETE
            )
        else { return }
        if let token = gateway.adminToken { request.headers.add(name: "authorization", value: "Bearer \(token)") }
        // A future does not end with the task, so the namespace is removed after Ctrl-C too. If the gateway is gone,
        // so is the namespace.
        _ = try? await http.execute(request: request, deadline: .now() + .seconds(10)).get()
    }
}

extension ScenarioRun {
    /// Writes pictures of the shelves of all apps into the folder of a run.
    func writeShelfPictures() async {
        for device in scenario.devices {
            guard let name = device.names.first, let agent = try? environment.agent(of: name) else { continue }
            for app in device.description.apps where app.sharedWithYou {
                // A picture that cannot be drawn must not hide the failure.
                guard let picture = try? await agent.shelfPicture(of: app.bundleIdentifier, on: name) else { continue }
                _ = try? environment.workspace.write(picture, to: "shelf-\(app.bundleIdentifier)-\(name).svg")
            }
        }
    }
}

/// The results of the steps of one run, in order.
private final class ResultCollector: Sendable {
    private struct State {
        var steps: [StepResult] = []
        var failure: StepFailure?
        var edits: [SourceEdit] = []
        var start = Timestamp(milliseconds: 0)

        /// The current step.
        var currentStep: (number: Int, step: Step)?
    }

    private let scenario: Scenario
    private let report: @Sendable (ScenarioRunner.Progress) -> Void
    private let state = Mutex(State())

    init(_ scenario: Scenario, _ report: @escaping @Sendable (ScenarioRunner.Progress) -> Void) {
        self.scenario = scenario
        self.report = report
    }

    var hasFailed: Bool {
        state.withLock { state in state.failure != nil || state.steps.contains { $0.outcome == .failed } }
    }

    func recordStart(at start: Timestamp) {
        state.withLock { $0.start = start }
    }

    func begin(_ index: Int, _ step: Step) {
        state.withLock { $0.currentStep = (index, step) }
        report(.stepStarted(step.text))
    }

    func recordPass(_ index: Int, _ step: Step, answer: StepAnswer, elapsed: Int) {
        var result = StepResult(index, step, outcome: .passed, elapsed: elapsed)
        result.summary = answer.summary
        result.expected = step.expectedTexts
        result.warning = answer.warning
        result.answer = answer.document
        add(result)
    }

    func recordFailure(_ index: Int, _ step: Step, failure: StepFailure, edits: [SourceEdit]?, elapsed: Int) {
        var result = StepResult(index, step, outcome: edits == nil ? .failed : .updated, elapsed: elapsed)
        if edits == nil { result.failure = failure }
        state.withLock { $0.edits += edits ?? [] }
        add(result)
    }

    /// Records a failure that appears only after the last step.
    func recordLateFailure(_ step: Step, _ failure: StepFailure) {
        var result = StepResult(state.withLock(\.steps.count), step, outcome: .failed, elapsed: 0)
        result.text = "to the end: \(step.text)"
        result.failure = failure
        add(result)
    }

    private func add(_ result: StepResult) {
        state.withLock { state in
            state.steps.append(result)
            state.currentStep = nil
        }
        report(.stepEnded(result))
    }

    /// Records an error that ended the run: it belongs to the current step, if there is one.
    func recordError(_ error: any Error) {
        let failure = error as? StepFailure ?? StepFailure(error)
        guard let (index, step) = state.withLock(\.currentStep) else {
            state.withLock { $0.failure = failure }
            return
        }
        recordFailure(index, step, failure: failure, edits: nil, elapsed: 0)
    }

    /// Returns the result; the other steps are skipped.
    func result(after duration: Duration) -> ScenarioResult {
        let state = state.withLock { $0 }
        let completedCount = state.steps.count
        let skippedSteps = scenario.steps.enumerated().dropFirst(completedCount).map {
            StepResult($0.offset, $0.element, outcome: .skipped, elapsed: 0)
        }
        for step in skippedSteps { report(.stepEnded(step)) }
        return ScenarioResult(
            name: scenario.name,
            file: scenario.file,
            steps: state.steps + skippedSteps,
            failure: state.failure,
            edits: state.edits,
            start: state.start,
            duration: duration
        )
    }
}

extension StepResult {
    fileprivate init(_ index: Int, _ step: Step, outcome: Outcome, elapsed: Int) {
        self.init(number: index + 1, text: step.text, place: step.place, outcome: outcome, elapsed: elapsed)
    }
}

/// The progress of scenarios that run at the same time, reported as if they ran one after another.
private final class OrderedReport: Sendable {
    private struct State {
        var currentIndex = 0
        var pendingProgress: [Int: [ScenarioRunner.Progress]] = [:]
        var endedIndices: Set<Int> = []
    }

    private let report: @Sendable (ScenarioRunner.Progress) -> Void
    private let state = Mutex(State())

    init(_ report: @escaping @Sendable (ScenarioRunner.Progress) -> Void) {
        self.report = report
    }

    func add(_ progress: ScenarioRunner.Progress, of index: Int) {
        state.withLock { state in
            // The lock also keeps the lines in order.
            if index == state.currentIndex {
                report(progress)
            } else {
                state.pendingProgress[index, default: []].append(progress)
            }
        }
    }

    /// Records that a scenario has no more progress.
    func end(_ index: Int) {
        state.withLock { state in
            state.endedIndices.insert(index)
            while state.endedIndices.contains(state.currentIndex) {
                state.currentIndex += 1
                for progress in state.pendingProgress.removeValue(forKey: state.currentIndex) ?? [] { report(progress) }
            }
        }
    }
}

/// The changes that `--update` makes to files.
package enum ScenarioUpdate {
    /// Writes the changes of results into their files.
    ///
    /// - Returns: a line for each change that could not be made.
    /// - Throws: `ProcessFailure` if a file cannot be read or written.
    package static func write(_ results: [ScenarioResult]) throws -> [String] {
        var failures: [String] = []
        let edits = Dictionary(grouping: results.flatMap(\.edits), by: \.place.file)
        for (file, edits) in edits.sorted(by: { $0.key < $1.key }) {
            guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
                throw ProcessFailure.unusable("\(file): cannot be read any more")
            }
            var source = EditedSource(text)
            var consistentEdits: [SourceEdit] = []
            // The runs of a matrix have the same places, and scenarios may include the same file.
            for edits in Dictionary(grouping: edits, by: \.place).values {
                if let first = edits.first, Set(edits.map(\.newValue)).count == 1,
                    edits.count >= runCount(of: first, results)
                {
                    consistentEdits.append(first)
                } else {
                    failures += edits.map { "\($0.text): other runs of this step have another value" }
                }
            }
            failures += source.apply(consistentEdits).map { "\($0.text): the value is not written on one line here" }
            do {
                try Data(source.text.utf8).write(to: URL(filePath: file), options: .atomic)
            } catch {
                throw ProcessFailure.unusable("\(file): cannot be written: \(SystemError.reason(of: error))")
            }
        }
        return failures.sorted()
    }

    /// Returns the number of runs that performed the step of an edit.
    private static func runCount(of edit: SourceEdit, _ results: [ScenarioResult]) -> Int {
        results.count { result in
            result.steps.contains { $0.place == edit.stepPlace && [.passed, .updated].contains($0.outcome) }
        }
    }
}
