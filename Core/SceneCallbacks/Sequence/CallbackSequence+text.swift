internal import WaypostSchema

extension CallbackSequence {
    /// The calls as text for a terminal: each in a line, those that are not made, and the findings.
    package var text: String {
        let heading = "\(cause.title), \(state.title)"
        let mistakes = findings.map { "! \($0.message) [\($0.code.rawValue)]" }
        var lines: [String]
        switch outcome {
        case .cannotHappen(let reason): lines = ["\(heading): cannot happen: \(reason)"]
        case .calls(let steps, let notCalled):
            lines = [heading + fatePhrase]
            lines += steps.enumerated().map { "    \($0.offset + 1). \($0.element.text)" }
            lines += notCalled.map { "    not called: \($0.text)" }
        }
        return (lines + mistakes).joined(separator: "\n")
    }
}

extension CallbackSequence {
    /// The outcome, as the end of a heading.
    private var fatePhrase: String {
        switch fate {
        case .noEvent: ""
        case .once: ": the app receives the event"
        case .twice: ": the app handles the event twice"
        case .lost: ": the app loses the event"
        case .unknown where app == AppImplementation(lifeCycle: app.lifeCycle): ""
        case .unknown:
            missingKeys.isEmpty
                ? ": it is uncertain whether the app receives the event"
                : ": whether the app receives the event is unknown without '\(missingKeys.joined(separator: "', '"))'"
        }
    }

    /// The keys in the description of the app that would say whether it receives the event.
    private var missingKeys: [String] {
        var keys: [String] = []
        for step in eventSteps where step.isHandled == nil {
            let isUnknown = app.implements(step.callback) == nil
            let key = isUnknown ? step.callback.object.key : step.argument?.option == nil ? nil : "reads"
            if let key, !keys.contains(key) { keys.append(key) }
        }
        let isAgain = deliveries.count > 1 && eventSteps.allSatisfy { $0.isHandled != nil }
        return isAgain ? ["deduplicates"] : keys
    }
}

extension CallbackObject {
    /// The key of the object's methods in the description of an app.
    fileprivate var key: String {
        switch self {
        case .appDelegate: "appDelegate"
        case .sceneDelegate: "sceneDelegate"
        case .notificationCenterDelegate: "notificationCenter"
        case .view: "views"
        case .intent: "appIntents"
        }
    }
}

extension CallbackStep {
    /// The call with its argument, condition and source.
    fileprivate var text: String {
        let otherScene = scene == .other ? " of the other scene" : ""
        let event = argument.map { ", \($0)\(part?.phrase ?? "")" } ?? ""
        let when = condition.map { ", \($0.phrase)" } ?? ""
        let ignored = isHandled == false && argument != nil ? ", which the app does not handle" : ""
        return "\(callback.signature)\(otherScene)\(event)\(when)\(ignored) (\(source.shortText)\(orderText))"
    }

    private var orderText: String {
        order.mark == source.mark ? "" : "; its place: \(order.shortText)"
    }
}

extension EventPart {
    /// The part, as an addition to an argument.
    fileprivate var phrase: String {
        switch self {
        case .announcement: " (an announcement)"
        case .event: " (the event)"
        case .repetition: " (the same event again)"
        }
    }
}

extension AbsentCall {
    /// The call with the reason.
    fileprivate var text: String {
        "\(callback.signature)\(option.map { " with \($0.expression)" } ?? ""): \(reason) (\(source.shortText))"
    }
}

extension CallbackSource {
    /// The kind of the source, with the number of reports.
    fileprivate var shortText: String {
        switch self {
        case .documented, .inferred, .ours: mark.rawValue
        case .observed(1, _): "one report"
        case .observed(let count, _): "\(count) reports"
        }
    }
}
