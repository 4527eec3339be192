internal import CFileSchemas
internal import DeviceModel
package import SchemaFiles
package import WaypostSchema
internal import Yams

/// An app file: an app, as in a device file, and what its process does.
package struct AppFile: Decodable, Sendable, Equatable {
    /// The actions of an app's process.
    package struct Process: Decodable, Sendable, Equatable {
        /// The dynamic quick actions that the process sets.
        package var shortcutItems: [ShortcutItem]?

        /// The activation conditions that the process sets, by scene.
        package var conditions: [String: ActivationConditions]?

        /// The state restoration activities that the process sets, by scene.
        package var restorationActivities: [String: UserActivity]?

        /// The rich previews that the process supplies for its highlights.
        package var previews: [LinkPreview]?

        /// The preferences for the attribution views of its highlights, or `nil` to request no views.
        package var attributions: AttributionPreferences?

        /// The highlights that the app shows, one after another, each as soon as the app has it.
        package var views: [Viewing]?

        /// The results with which the process finishes the calls of the system, by function; an empty one if absent.
        package var calls: [String: AppCallResult]?
    }

    /// A highlight that the app shows for a time.
    package struct Viewing: Decodable, Sendable, Equatable {
        /// The URL of the highlight.
        package var url: String

        /// Whether the app shows it in a list or in detail; in a list if absent.
        package var displayContext: DisplayContext?

        /// How long its attribution view is in a window, in seconds; 0 if absent.
        package var seconds: Double?

        /// Whether the user then comes to the end of the content; `false` if absent.
        package var finishes: Bool?
    }

    private enum CodingKeys: CodingKey {
        case process
    }

    /// The app.
    package var app: AppDescription

    /// The actions of the app's process, or `nil` if it only prints its events and takes activations.
    package var process: Process?

    /// Decodes a file: the keys of an app, and `process`.
    package init(from decoder: any Decoder) throws {
        app = try AppDescription(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        process = try container.decodeIfPresent(Process.self, forKey: .process)
    }

    /// Reads an app file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - schema: the schema of app files.
    /// - Throws: `FileFindings` with all problems and their places.
    package init(_ path: String, _ schema: FileSchema) throws(FileFindings) {
        var content = try SchemaFile(path, schema, as: .app, called: "an app file")
        self = try content.decoded()
        let root = content.text.root
        for error in DeviceDescription(name: "device", apps: [app]).errors {
            content.reader.report("\(error)", at: root.appNode(for: error) ?? root)
        }
        for (scene, conditions) in process?.conditions ?? [:] {
            let node = root["process"]?["conditions"]?[scene] ?? root
            for reason in conditions.problems(values: app.values) {
                content.reader.report("scene \(scene): \(reason)", at: node.condition(namedIn: reason) ?? node)
            }
        }
        try content.throwProblems()
    }
}

extension AppFile {
    /// The app with the activation conditions that its process sets.
    package var appAfterLaunch: AppDescription {
        var app = app
        for index in app.scenes.indices {
            let scene = app.scenes[index].persistentIdentifier.rawValue
            if let conditions = process?.conditions?[scene] { app.scenes[index].activationConditions = conditions }
        }
        return app
    }
}

extension ActivationConditions {
    /// Returns the reasons why the conditions cannot be used in an app with values.
    fileprivate func problems(values: [String: JSONValue]?) -> [String] {
        let scene = SceneSession(persistentIdentifier: "scene", activationConditions: self)
        let app = AppDescription(bundleIdentifier: "app", scenes: [scene], values: values)
        return DeviceDescription(name: "device", apps: [app]).errors.compactMap { error in
            if case .unusableCondition(_, _, let reason) = error { reason } else { nil }
        }
    }
}

extension FileSchema {
    /// Returns the schema of app files.
    ///
    /// - Throws: `JSONError` if it is damaged.
    package static func app() throws -> Self {
        try Self(embedded: waypost_app_schema)
    }
}

extension FileText.Kind {
    fileprivate static let app = Self(hint: "an app file is an object with 'bundleIdentifier' and 'scenes'")
}
