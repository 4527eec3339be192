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

    /// Returns the end of a message about a text that names no method, or `nil` if it names one.
    static func problem(of text: String) -> String? {
        let isCall = Callback.all.contains { callback in
            text == callback.name || text == callback.signature || text.hasPrefix(callback.signature + " ")
        }
        guard !isCall else { return nil }
        let names = Callback.all.map(\.name) + Callback.all.map(\.signature)
        let method = text.lastIndex(of: " ").map { String(text[..<$0]) } ?? text
        let hint = (text.nearest(among: names) ?? method.nearest(among: names)).map { "did you mean '\($0)'?" }
        return ", which is no method that the system calls; "
            + (hint ?? "use the method as Apple spells it, or a short name such as scene.willConnect")
    }
}

extension ExpectedCall: Decodable {
    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }
}
