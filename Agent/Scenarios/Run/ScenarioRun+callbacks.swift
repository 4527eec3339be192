internal import GatewayClient
internal import SceneCallbacks
internal import WaypostSchema

extension ScenarioRun {
    /// Determines the methods of an app that are called for a cause, from what the app on the device implements.
    ///
    /// - Parameters:
    ///   - question: the app, the cause and the state.
    ///   - expectation: the expectation of the step.
    /// - Returns: the answer with the calls.
    /// - Throws: `StepFailure` if the cause cannot occur, unless a mistake explains that and only mistakes are expected.
    func callbacks(
        _ question: CallbackQuestion,
        expecting expectation: Expectation?
    ) async throws -> StepAnswer {
        guard let app = try await description(of: question.app, on: question.device) else {
            throw StepFailure("\(question.app) is not on \(question.device)")
        }
        let sequence = CallbackSequence(
            for: question.cause,
            in: question.state,
            of: app,
            system: try question.system ?? system(of: question.device)
        )
        if let failure = sequence.failure(expecting: expectation) { throw failure }
        var answer = StepAnswer(sequence)
        if app.callbacks == nil {
            answer.warning = "\(question.app) has no 'callbacks' in its description, so its methods are unknown"
        }
        return answer
    }

    /// Returns the methods of an app that are called for the scene that a step opened.
    ///
    /// - Throws: `StepFailure` if no scene opened.
    func callbacks(of answer: StepAnswer) async throws -> CallbackSequence {
        if let callbacks = answer.callbacks { return callbacks }
        guard let opened = answer.openedScene else {
            throw StepFailure("no scene opened; use the action 'callbacks' to ask about any other cause")
        }
        let app = try await description(of: opened.app, on: opened.device)
        guard let callbacks = CallbackSequence(for: opened, of: app, system: try system(of: opened.device)) else {
            throw StepFailure("\(opened.device) does not say for what the scene opened, so the calls are unknown")
        }
        return callbacks
    }

    /// Returns the major version of iOS on a device: that of its description, or else the current one.
    ///
    /// - Throws: `StepFailure` if the version has no scenes.
    private func system(of device: String) throws(StepFailure) -> Int {
        let description = scenario.devices.first { $0.names.contains(device) }?.description
        if let problem = CallbackSequence.problem(with: description?.system) { throw StepFailure(problem) }
        return description?.system?.major ?? CallbackSequence.currentSystem
    }

    private func description(of app: BundleIdentifier, on device: String) async throws -> AppDescription? {
        let apps = try await environment.agent(of: device).appDescriptions(on: device)
        return apps.first { $0.bundleIdentifier == app }
    }

    /// Compares the scenes of an app that are in the foreground with the expected ones, in any order.
    ///
    /// - Parameters:
    ///   - expected: the scenes.
    ///   - app: the app; `nil` for the only one on the device.
    ///   - device: the device.
    /// - Returns: the difference, with the states of all scenes.
    /// - Throws: `StepFailure` if the app is not named, `CallError` if a call to the agent fails.
    func compareVisible(
        _ expected: [SceneIdentifier],
        of app: BundleIdentifier?,
        on device: String
    ) async throws -> Findings {
        let allApps = try await environment.agent(of: device).appDescriptions(on: device)
        let apps = allApps.filter { app == nil || $0.bundleIdentifier == app }
        guard let description = apps.first, apps.count == 1 else {
            if let app { throw StepFailure("\(app) is not on \(device)") }
            throw StepFailure("\(device) has \(apps.count) apps; name the one of 'visible' with 'app'")
        }
        var findings = Findings()
        let visible = description.scenes.filter(\.isVisible).map(\.persistentIdentifier)
        guard Set(expected) != Set(visible) else { return findings }
        let (expectedNames, names) = (expected.map(\.rawValue).sorted(), visible.map(\.rawValue).sorted())
        findings.add(
            "visible",
            expectedNames.isEmpty ? "none" : expectedNames.joined(separator: ", "),
            actual: names.isEmpty ? "none" : names.joined(separator: ", "),
            replacement: names
        )
        findings.explanations.append(
            description.scenes.map { "\($0.persistentIdentifier.rawValue): \($0.state.rawValue)" }.joined(
                separator: "\n"
            )
        )
        return findings
    }
}

extension CallbackSequence {
    /// Returns the failure of a question about a cause that cannot occur, which makes no calls that can be compared.
    ///
    /// - Parameter expectation: the expectation of the step.
    /// - Returns: the failure; `nil` if the cause can occur, or if only mistakes are expected, and one explains why not.
    func failure(expecting expectation: Expectation?) -> StepFailure? {
        guard case .cannotHappen(let reason) = outcome else { return nil }
        let isMistakeExpected = expectation?.findings != nil && !findings.isEmpty
        guard !isMistakeExpected || expectation?.isAboutCalls == true else { return nil }
        let hint = isMistakeExpected ? "; expect only 'findings'" : ""
        return StepFailure("the cause cannot occur in this state: \(reason)\(hint)", explanation: text)
    }
}

extension SceneSession {
    /// Whether the user sees the scene.
    fileprivate var isVisible: Bool {
        state == .foregroundActive || state == .foregroundInactive
    }
}
