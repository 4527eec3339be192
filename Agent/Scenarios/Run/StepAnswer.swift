internal import Foundation
internal import JSONScanning
internal import SceneCallbacks
internal import SchemaFiles
internal import Targeting
internal import WaypostSchema

/// The values that an action of a step returned.
struct StepAnswer: Sendable {
    /// The scene or the website that opened.
    struct OpenedContent: Sendable, Equatable {
        var app: BundleIdentifier?
        var scene: SceneIdentifier?
        var isNewScene = false
        var reason: SceneDecision.Reason?
        var destination = OpenedURL.Destination.app
        var explanation: String?
    }

    /// The whole answer, whose fields an expectation can name by path.
    var document: JSONValue = .object([:])

    var openedContent: OpenedContent?

    /// The scene that opened.
    var openedScene: OpenedScene?

    /// The methods of the app that are called, if they were asked for.
    var callbacks: CallbackSequence?

    /// The reasons for the refusal of what was sent.
    var refusals: [RejectionReason] = []

    /// The message of the first refusal.
    var refusalMessage: String?

    /// The title of the conversation that is shown over the app.
    var conversationTitle: String?

    /// The titles in the disambiguation menu.
    var choices: [String]?

    /// The outcome of a command.
    var commandOutcome: ShellCommand.Outcome?

    /// The result in a few words, for the report.
    var summary: String?

    /// A sentence about a probable mistake in the step, or about a difference from APNs; it is also the summary.
    var warning: String? {
        didSet { summary = warning ?? summary }
    }

    init() {}

    /// Creates an answer with the JSON of `value` as its document.
    init(_ value: some Encodable) {
        document = JSONValue(encoding: value)
    }

    init(_ opened: OpenedScene) {
        self.init(encoding: opened)
        openedContent = OpenedContent(opened)
        openedScene = opened
        summarize()
    }

    init(_ reaction: DeviceReaction) {
        self.init(encoding: reaction)
        openedScene = reaction.effects.compactMap(\.openedScene).last
    }

    init(_ sequence: CallbackSequence) {
        self.init(encoding: sequence)
        callbacks = sequence
        let calls = sequence.deliveries.map(\.callback.name)
        let isLost = sequence.fate == .lost
        summary = isLost ? "lost" : calls.isEmpty ? nil : calls.joined(separator: ", ")
    }

    init(_ opened: OpenedURL) {
        self.init(encoding: opened)
        var content = opened.opened.map { OpenedContent($0) } ?? OpenedContent()
        content.destination = opened.destination
        let links = opened.links.map { "  \($0.app?.rawValue ?? "–"): \($0.explanation)" }
        let scenes = opened.opened?.decision.map { [$0.text] } ?? []
        content.explanation = ([opened.explanation] + links + scenes).joined(separator: "\n")
        openedContent = content
        openedScene = opened.opened
        summarize()
        if opened.destination == .website { summary = "the website" }
    }

    private init(encoding value: some Encodable) {
        document = JSONValue(encoding: value)
    }

    private mutating func summarize() {
        let parts = [
            openedContent?.scene?.rawValue ?? openedContent?.app?.rawValue, openedContent?.reason?.rawValue,
        ]
        summary = parts.compactMap { $0 }.joined(separator: ", ")
    }
}

extension DeviceEffect {
    /// The scene that opened with the effect.
    fileprivate var openedScene: OpenedScene? {
        switch self {
        case .scene(.sceneActivated(let opened)), .scene(.sceneOpened(let opened)): opened
        case .scene(.urlOpened(let opened)): opened.opened
        default: nil
        }
    }
}

extension StepAnswer.OpenedContent {
    fileprivate init(_ opened: OpenedScene) {
        self.init(
            app: opened.app,
            scene: opened.scene,
            isNewScene: opened.activation.isNewScene,
            reason: opened.decision?.reason,
            explanation: opened.decision?.text
        )
    }
}

extension JSONValue {
    /// The JSON of a value of the schema; `null` if it has none.
    init(encoding value: some Encodable) {
        let data = try? JSONEncoder().encode(value)
        self = data.flatMap { try? DocumentDecoder.decode(JSONValue.self, fromDeepJSON: $0) } ?? .null
    }

    /// Returns the value at a path such as `decision.trace[0].won`, or `nil` if there is none.
    func value(at path: String) -> JSONValue? {
        var value = self
        for part in path.split(separator: ".") {
            let components = part.split(separator: "[")
            guard let name = components.first else { return nil }
            if !part.hasPrefix("[") {
                guard let member = value[String(name)] else { return nil }
                value = member
            }
            for index in part.hasPrefix("[") ? components[...] : components.dropFirst() {
                guard let position = Int(index.dropLast()), value.elements.indices.contains(position) else {
                    return nil
                }
                value = value.elements[position]
            }
        }
        return value
    }
}
