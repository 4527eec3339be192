internal import WaypostSchema

extension CallbackSequence: Encodable {
    private enum CodingKeys: CodingKey {
        case lifeCycle, cause, state, cannotHappen, calls, notCalled, deliveries, fate, findings
    }

    /// Writes the calls, those that are not made, and the findings; or the reason why the cause cannot occur.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(app.lifeCycle, forKey: .lifeCycle)
        try container.encode(cause, forKey: .cause)
        try container.encode(state, forKey: .state)
        switch outcome {
        case .cannotHappen(let reason): try container.encode(reason, forKey: .cannotHappen)
        case .calls(let steps, let notCalled):
            try container.encode(steps, forKey: .calls)
            try container.encode(notCalled, forKey: .notCalled)
            try container.encode(deliveries.map(\.delivery), forKey: .deliveries)
            try container.encode(fate, forKey: .fate)
            try container.encode(findings, forKey: .findings)
        }
    }
}

extension CallbackStep: Encodable {
    private enum CodingKeys: CodingKey {
        case object, scene, call, argument, part, state, reason, condition, source, order, since, until, isHandled
    }

    /// The method and the argument with the event, as an expectation names them.
    package var delivery: String {
        callback.delivery(of: argument)
    }

    /// Writes the call.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(callback.object, forKey: .object)
        try container.encodeIfPresent(scene, forKey: .scene)
        try container.encode(callback.signature, forKey: .call)
        try container.encodeIfPresent(argument?.description, forKey: .argument)
        try container.encodeIfPresent(part, forKey: .part)
        try container.encodeIfPresent(state, forKey: .state)
        try container.encode(reason, forKey: .reason)
        try container.encodeIfPresent(condition, forKey: .condition)
        try container.encode(source, forKey: .source)
        try container.encode(order, forKey: .order)
        try container.encode(versions.since, forKey: .since)
        try container.encodeIfPresent(versions.until, forKey: .until)
        try container.encodeIfPresent(isHandled, forKey: .isHandled)
    }
}

extension AbsentCall: Encodable {
    private enum CodingKeys: CodingKey {
        case object, call, option, reason, source
    }

    /// Writes the call that is not made.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(callback.object, forKey: .object)
        try container.encode(callback.signature, forKey: .call)
        try container.encodeIfPresent(option, forKey: .option)
        try container.encode(reason, forKey: .reason)
        try container.encode(source, forKey: .source)
    }
}

extension CallbackSource: Encodable {
    private enum CodingKeys: CodingKey {
        case mark, reports, reference
    }

    /// Writes the kind of the source, with the title of the page, or the reports and their number.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(mark, forKey: .mark)
        switch self {
        case .documented(let title): try container.encode(title, forKey: .reference)
        case .observed(let count, let reports):
            try container.encode(count, forKey: .reports)
            try container.encode(reports, forKey: .reference)
        case .inferred, .ours: break
        }
    }
}
