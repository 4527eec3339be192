internal import GatewayClient
internal import PushRules
internal import WaypostSchema

extension ScenarioRun {
    /// Performs an action, and waits for its consequences.
    func perform(_ action: Action, expecting expectation: Expectation?) async throws -> StepAnswer {
        switch action {
        case .send(let sendings): return try await send(sendings, expecting: expectation)
        case .message(let message): return try await apply(message)
        case .contact(let device, let contact):
            self[device].add(contact)
            return StepAnswer(try await apply(.sharing(.contactChanged(environment.withTokens(contact))), to: device))
        case .conversation(let device, let conversation):
            return StepAnswer(try await apply(.sharing(.conversationChanged(conversation)), to: device))
        case .pin(let link):
            let event = DeviceEvent.sharing(.linkPinned(try message(of: link), url: link.link))
            return StepAnswer(try await apply(event, to: link.device))
        case .unpin(let link):
            let event = DeviceEvent.sharing(.linkUnpinned(try message(of: link), url: link.link))
            return StepAnswer(try await apply(event, to: link.device))
        case .open(let opening):
            let answer = try await open(opening)
            try await waitUntilActivationsAreTaken(on: opening.device)
            return answer
        case .tap(let tap): return try await self.tap(tap)
        case .reply(let reply): return try await self.reply(reply)
        case .remove(let device, let link):
            return StepAnswer(try await apply(.sharing(.linkRemoved(url: link)), to: device))
        case .restore(let device, let link):
            return StepAnswer(try await apply(.sharing(.linkRestored(url: link)), to: device))
        case .consent(let change):
            guard let event = change.event, let device = change.device else { return StepAnswer() }
            return StepAnswer(try await apply(event, to: device))
        case .app(let control): return try await controlApp(control)
        case .callbacks(let question): return try await callbacks(question, expecting: expectation)
        case .handoff(let request): return try await handOff(request)
        case .subscribe(let subscription): return try await subscribe(subscription)
        case .event(let device, let event):
            let answer = StepAnswer(try await apply(event, to: device))
            markAllAsUnsettled()
            try await settle()
            return answer
        case .snapshot(let device, let name):
            try await environment.agent(of: device).takeSnapshot(name, of: device)
            return StepAnswer()
        case .reset(let device, let name):
            try await reset(device, to: name)
            return StepAnswer()
        default: return try await performOnProcesses(action, expecting: expectation)
        }
    }

    /// Performs an action on processes, the network, the clock or an API.
    private func performOnProcesses(_ action: Action, expecting expectation: Expectation?) async throws -> StepAnswer {
        switch action {
        case .power(let device, let isOn): try await setLowPowerMode(of: device, isOn: isOn)
        case .network(let device, let isOn): return try await setNetwork(of: device, isOn: isOn)
        case .kill(let process): try await kill(process)
        case .restart(let process): return try await restart(process)
        case .advance(let milliseconds): try await advance(by: milliseconds)
        case .standing(let choice, let standing):
            let change = TokenStandingChange(standing: standing)
            return StepAnswer(try await environment.gateway.setStanding(change, of: try await token(choice)))
        case .fault(let choice, let fault):
            var fault = fault
            fault.token = try await token(choice)
            var answer = StepAnswer(try await environment.gateway.addFault(fault))
            answer.warning = fault.warning
            return answer
        case .uninstall(let uninstallation): return try await uninstall(uninstallation)
        case .reinstall(let device, let app): return try await reinstall(app, on: device)
        case .update(let device, let app): return try await update(app, on: device)
        case .rotateToken(let choice): return try await rotateToken(choice)
        case .restoreBackup(let device, let source): return try await restoreBackup(of: source, on: device)
        case .run(let command): return try await runCommand(command, expecting: expectation)
        case .call(let call): return try await callAPI(call)
        default: break
        }
        return StepAnswer()
    }
}
