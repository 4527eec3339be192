internal import DeviceFiles
internal import Foundation
internal import JSONScanning
internal import PushRules
internal import SchemaFiles
internal import WaypostSchema
internal import Yams

/// Reads the steps of a file.
struct StepReader {
    private var reader: SchemaReader

    /// Whether the photographs that steps name can be read here.
    private let readsFiles: Bool

    /// The probable mistakes in the current step.
    private var warnings: [FileFinding] = []

    init(_ reader: SchemaReader, readsFiles: Bool = true) {
        (self.reader, self.readsFiles) = (reader, readsFiles)
    }

    /// The problems so far.
    var findings: [FileFinding] {
        reader.findings
    }

    /// Reads a step, or returns `nil` after a problem.
    mutating func read(_ node: Node) -> Step? {
        _ = reader.takeScalars()
        warnings = []
        guard case .object(let members)? = reader.read(node, as: reader.schema["Step"], called: "the step") else {
            return nil
        }
        var step = Step(place: reader.place(of: node))
        step.name = members["name"]?.string
        step.expectedValues = members["expect"]?.members ?? [:]
        let prefix = "expect."
        for (path, scalar) in reader.takeScalars() where path.hasPrefix(prefix) {
            step.scalars[String(path.dropFirst(prefix.count))] = scalar
        }
        do {
            step.expectation = try members["expect"].map { try Self.decode(Expectation.self, from: $0) }
            for (name, value) in members where name != "name" && name != "expect" {
                step.action = try readAction(name, value, at: node[name] ?? node)
            }
        } catch let error as UnknownKeyError {
            for key in error.keys { reader.report(key.sentence, at: Self.place(of: key, in: node["event"] ?? node)) }
            return nil
        } catch let error as DecodingError {
            // The schema has checked everything but the fields of an event and of a fault.
            let name = members.keys.first { $0 != "name" && $0 != "expect" } ?? ""
            let place = node[name] ?? node
            if case .keyNotFound(let key, let context) = error, context.codingPath.isEmpty {
                reader.report("'\(name)' needs '\(key.stringValue)'", at: place)
            } else {
                reader.report("'\(name)': \(error.sentence)", at: place)
            }
            return nil
        } catch {
            reader.report("\(error)", at: node)
            return nil
        }
        if let problem = step.problem {
            reader.report(problem, at: node)
            return nil
        }
        step.warnings = warnings
        return step
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, from value: JSONValue) throws -> Value {
        try DocumentDecoder.decode(type, from: value.node)
    }

    private mutating func readAction(_ name: String, _ value: JSONValue, at node: Node) throws -> Action? {
        func decoded<Parameters: Decodable>(_ type: Parameters.Type = Parameters.self) throws -> Parameters {
            try Self.decode(type, from: value)
        }
        let device = value["device"]?.string ?? ""
        let string = value.string ?? ""
        switch name {
        case "send":
            if case .array = value { return .send(try decoded()) }
            return .send([try decoded()])
        case "message": return .message(try decoded())
        case "contact": return try readContact(value, at: node)
        case "conversation": return .conversation(device: device, try decoded())
        case "pin": return .pin(try decoded())
        case "unpin": return .unpin(try decoded())
        case "open": return .open(try decoded())
        case "tap": return readTap(try decoded(), at: node)
        case "reply": return .reply(try decoded())
        case "remove": return .remove(device: device, link: value["link"]?.string ?? "")
        case "restore": return .restore(device: device, link: value["link"]?.string ?? "")
        case "consent": return readConsent(try decoded(), at: node)
        case "app": return readAppControl(try decoded())
        case "callbacks": return .callbacks(try decoded())
        case "handoff": return .handoff(try decoded())
        case "subscribe": return .subscribe(try decoded())
        case "power": return .power(device: device, isLowPowerModeEnabled: value["mode"]?.string == "low")
        case "network": return .network(device: device, isOn: value["state"]?.string == "on")
        case "standing":
            let choice: TokenChoice = try decoded()
            return value["state"]?.string.flatMap(TokenStanding.init).map { .standing(choice, $0) }
        case "uninstall": return .uninstall(try decoded())
        case "reinstall": return .reinstall(device: device, BundleIdentifier(rawValue: value["app"]?.string ?? ""))
        case "update": return .update(device: device, BundleIdentifier(rawValue: value["app"]?.string ?? ""))
        case "rotate-token": return .rotateToken(try decoded())
        case "restore-backup": return .restoreBackup(device: device, from: value["from"]?.string ?? "")
        case "kill": return .kill(string)
        case "restart": return .restart(string)
        case "advance": return .advance(milliseconds: DurationText.milliseconds(in: string) ?? 0)
        case "fault":
            let choice: TokenChoice = try decoded()
            return try readFault(value, at: node).map { .fault(choice, $0) }
        case "run": return .run(string)
        case "snapshot": return .snapshot(device: device, name: value["name"]?.string ?? "")
        case "reset": return .reset(device: device, to: value["to"]?.string)
        case "event": return .event(device: device, try Self.event(value))
        case "call": return .call(try decoded())
        default: return nil
        }
    }

    /// Returns the event of a step; a key that it does not have is a mistake.
    private static func event(_ value: JSONValue) throws -> DeviceEvent {
        var members = value.members
        members["device"] = nil
        return try DocumentDecoder.decodeStrictly(DeviceEvent.self, from: JSONValue.object(members).node)
    }

    /// Returns the node of an unknown key of an event, or the member of the event in which it is.
    private static func place(of key: UnknownKey, in event: Node) -> Node {
        guard key.place.isEmpty else {
            return event[String(key.place.prefix { $0 != "." && $0 != "[" })] ?? event
        }
        return event.mapping?.first { $0.key.scalar?.string == key.name }?.key ?? event
    }

    /// Returns the fault, without the token of the device.
    private mutating func readFault(_ value: JSONValue, at node: Node) throws -> SendFault? {
        var members = value.members
        members["token"] = nil
        let fault = try Self.decode(SendFault.self, from: .object(members))
        let missingField: String? =
            switch fault.kind {
            case .respond where fault.reason == nil && fault.status == nil: "'reason' or 'status'"
            case .respond where fault.reason == nil && fault.timestamp != nil: "'reason', or no 'timestamp'"
            case .delay where fault.milliseconds == nil: "'milliseconds'"
            default: nil
            }
        if let warning = fault.warning {
            warnings.append(FileFinding(place: reader.place(of: node["reason"] ?? node), message: warning))
        }
        if let missingField {
            reader.report("'fault' of kind '\(fault.kind.rawValue)' needs \(missingField)", at: node)
            return nil
        }
        guard let problem = fault.choiceProblem else { return fault }
        reader.report("'\(problem.member)' of 'fault': \(problem.message)", at: node[problem.member] ?? node)
        return nil
    }

    /// Reads a card, with the photograph in place of the name of its file.
    private mutating func readContact(_ value: JSONValue, at node: Node) throws -> Action? {
        var members = value.members
        let fileProblem = members.embedPhoto(besides: reader.file, readsFiles: readsFiles)
        let contact = try Self.decode(Contact.self, from: .object(members))
        if let problem = fileProblem ?? contact.photoProblem {
            reader.report(problem, at: node["photo"] ?? node)
            return nil
        }
        return .contact(device: value["device"]?.string ?? "", contact)
    }

    private mutating func readTap(_ tap: Tap, at node: Node) -> Action? {
        guard tap.choose == nil, tap.link == nil, !tap.isOnShowMore else { return .tap(tap) }
        reader.report(
            "'tap' needs 'link', or 'choose' for a conversation in the disambiguation menu, or 'item: show-more'",
            at: node
        )
        return nil
    }

    /// Reads the app file, if the name is not that of an app.
    private mutating func readAppControl(_ control: AppControl) -> Action {
        if let name = control.attach {
            let path = FileText.path(name, relativeTo: reader.file)
            if FileManager.default.fileExists(atPath: path) {
                let schema = reader.schema.rooted(at: "AppFile")
                reader.report(FileFindings.findings { () throws(FileFindings) in _ = try AppFile(path, schema) })
            }
        }
        return .app(control)
    }

    private mutating func readConsent(_ change: ConsentChange, at node: Node) -> Action? {
        if change.event != nil { return .consent(change) }
        reader.report("'consent' with '\(change.automatic == nil ? "offer" : "automatic")' needs 'app'", at: node)
        return nil
    }
}

extension Step {
    /// A mistake that the schema cannot describe.
    fileprivate var problem: String? {
        if case .send(let sendings) = action, sendings.contains(where: { $0.id != nil && ($0.count ?? 1) > 1 }) {
            return "'send' has 'id' and 'count'; several notifications cannot have the same identifier"
        }
        if case .send(let sendings) = action, let problem = sendings.lazy.compactMap(\.problem).first { return problem }
        guard let expectation else { return nil }
        if expectation.exit != nil || expectation.output != nil {
            guard case .run = action else { return "'exit' and 'output' need the action 'run'" }
        }
        if expectation.isAboutCallbacks, action == nil {
            return "'deliveries', 'calls', 'notCalled', 'findings' and 'minimumSource' need an action, such as 'open' "
                + "or 'callbacks'"
        }
        if case .open = action, expectation.app != nil { return nil }
        guard !expectation.expectsSomething else { return nil }
        return "'expect' needs something that must hold, such as 'scene' or 'shelf'"
    }
}

extension Sending {
    /// A mistake in the choice of the token.
    fileprivate var problem: String? {
        if token != nil, liveActivity != nil { return "'send' has 'token' and 'liveActivity'; use one of them" }
        guard channel != nil, token != nil || liveActivity != nil || previous != nil else { return nil }
        return "'send' to a channel has no token; leave out 'token', 'liveActivity' and 'previous'"
    }
}

extension Expectation {
    /// Whether a field is set besides the device, the app, the link and the time limit.
    fileprivate var expectsSomething: Bool {
        var rest = self
        (rest.device, rest.app, rest.link, rest.within) = (nil, nil, nil, nil)
        return rest != Expectation()
    }
}
