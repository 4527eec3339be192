internal import WaypostSchema

/// What a person describes an app with: the app, as a device file has it, and what its process does.
struct AppFile: Codable, Sendable, Equatable {
    /// What a process of the app does once it is attached.
    struct Process: Codable, Sendable, Equatable {
        /// The dynamic quick actions that it sets.
        var shortcutItems: [ShortcutItem]?

        /// What its scenes can display and prefer, by scene.
        var conditions: [String: ActivationConditions]?

        /// What its scenes are restored with, by scene.
        var restorationActivities: [String: UserActivity]?

        /// The rich previews that it supplies for its highlights.
        var previews: [LinkPreview]?

        /// What it asks of the attribution views of its highlights; it asks for none where absent.
        var attributions: AttributionPreferences?
    }

    private enum CodingKeys: CodingKey {
        case process
    }

    /// The app.
    var app: AppDescription

    /// What its process does; nothing but to follow what it is told where absent.
    var process: Process?

    /// Reads a file: the keys of an app, and `process`.
    init(from decoder: any Decoder) throws {
        app = try AppDescription(from: decoder)
        process = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Process.self, forKey: .process)
    }

    /// Writes it in the same way.
    func encode(to encoder: any Encoder) throws {
        try app.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(process, forKey: .process)
    }
}
