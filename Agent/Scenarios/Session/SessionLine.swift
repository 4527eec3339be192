internal import Foundation
internal import SceneCallbacks
internal import SchemaFiles
internal import WaypostSchema

/// A line that a session writes.
enum SessionLine: Encodable {
    /// The session has begun: the URLs of the agent, and its devices in order, with their tokens.
    case ready(AgentReadyFile, ScenarioEnvironment)

    /// Something happened on a device.
    case event(DeviceEffect, of: String)

    /// A step was performed, and what it expects holds.
    case passed(JSONValue?, StepAnswer)

    /// A step could not be performed, or what it expects does not hold.
    case failed(JSONValue?, StepFailure)

    /// A line is no step.
    case refused(JSONValue?, FileFindings)

    private enum CodingKeys: CodingKey {
        case ready, devices, device, event, id, outcome, actual, answer, message, problems, differences, explanation,
            callbacks, warning
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .ready(let agent, let environment):
            try container.encode(agent, forKey: .ready)
            let devices = try environment.scenario.deviceNames.map { name throws in
                SessionDevice(name: name, token: try environment.token(of: name))
            }
            try container.encode(devices, forKey: .devices)
        case .event(let effect, let device):
            try container.encode(device, forKey: .device)
            try container.encode(effect, forKey: .event)
        case .passed(let id, let answer):
            try container.encodeIfPresent(id, forKey: .id)
            try container.encode("passed", forKey: .outcome)
            try container.encode(answer.actual, forKey: .actual)
            try container.encode(answer.document, forKey: .answer)
            try container.encodeIfPresent(answer.openedContent?.explanation, forKey: .explanation)
            try container.encodeIfPresent(answer.callbacks?.text, forKey: .callbacks)
            try container.encodeIfPresent(answer.warning, forKey: .warning)
        case .failed(let id, let failure):
            try container.encodeIfPresent(id, forKey: .id)
            try container.encode("failed", forKey: .outcome)
            try container.encode(failure.message, forKey: .message)
            try container.encode(failure.differences, forKey: .differences)
            try container.encodeIfPresent(failure.explanation, forKey: .explanation)
        case .refused(let id, let findings):
            try container.encodeIfPresent(id, forKey: .id)
            try container.encode("refused", forKey: .outcome)
            let problems = findings.findings.map { SessionProblem(column: $0.place.column, message: $0.message) }
            try container.encode(problems.map(\.message).joined(separator: "; "), forKey: .message)
            try container.encode(problems, forKey: .problems)
        }
    }

    /// The line as JSON.
    var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}

/// A device in the first line of a session.
private struct SessionDevice: Encodable {
    let name: String
    let token: DeviceToken
}

/// A problem of a line that is no step.
private struct SessionProblem: Encodable {
    /// The column, from 1.
    let column: Int

    let message: String
}

extension StepAnswer {
    /// The actual values, under the names that an expectation has for them.
    fileprivate var actual: JSONValue {
        var members: [String: JSONValue] = [:]
        if let openedContent {
            members["app"] = openedContent.app.map { .string($0.rawValue) }
            members["scene"] = openedContent.scene.map { .string($0.rawValue) }
            members["reason"] = openedContent.reason.map { .string($0.rawValue) }
            members["created"] = .bool(openedContent.isNewScene)
            members["destination"] = .string(openedContent.destination.rawValue)
        }
        members["deliveries"] = callbacks.map { .array($0.deliveries.map { .string($0.delivery) }) }
        members["findings"] = callbacks.map { .array($0.mistakeCodes.map { .string($0.rawValue) }) }
        members["conversation"] = conversationTitle.map(JSONValue.string)
        members["choices"] = choices.map { .array($0.map(JSONValue.string)) }
        members["rejected"] = refusals.first.map { .string($0.rawValue) }
        members["exit"] = commandOutcome.map { .integer($0.exit) }
        members["output"] = commandOutcome.map { .string($0.output) }
        return .object(members)
    }
}
