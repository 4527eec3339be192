internal import SceneCallbacks
internal import TextBasics

/// A call of a method of an app, as an expectation names it.
struct ExpectedCall: Sendable, Equatable {
    /// The method as Apple spells it, with or without the argument that has the event, or its short name.
    let text: String

    /// Returns whether a call is the expected one.
    func matches(_ step: CallbackStep) -> Bool {
        [step.delivery, step.callback.signature, step.callback.name].contains(text)
    }

    /// Returns the end of a message about a text that names no call, or `nil` if it names one.
    static func problem(of text: String) -> String? {
        guard !names.contains(text), !Callback.deliveries.contains(text) else { return nil }
        if let start = Callback.all.map({ $0.signature + " " }).first(where: { text.hasPrefix($0) }) {
            return problem(ofArgument: String(text.dropFirst(start.count)), after: start)
        }
        let method = text.lastIndex(of: " ").map { String(text[..<$0]) } ?? text
        let hint = (text.nearest(among: names) ?? method.nearest(among: names)).map { "did you mean '\($0)'?" }
        return ", which is no method that the system calls; "
            + (hint ?? "use the method as Apple spells it, or a short name such as scene.willConnect")
    }

    /// The names of all methods.
    private static let names = Callback.all.map(\.name) + Callback.all.map(\.signature)

    /// Returns the end of a message about a method with an argument that never has an event.
    private static func problem(ofArgument argument: String, after start: String) -> String {
        let calls = Callback.deliveries.filter { $0.hasPrefix(start) }.sorted()
        let nearestArgument = argument.nearest(among: calls.map { String($0.dropFirst(start.count)) })
        let choices = calls.isEmpty ? ["\(start.dropLast())"] : nearestArgument.map { [start + $0] } ?? calls
        let list = choices.joined(separator: ", ")
        let hint = choices.count == 1 ? "did you mean '\(list)'?" : "use one of: \(list)"
        return ", which is no call with an event; " + hint
    }
}

extension ExpectedCall: Decodable {
    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }
}
