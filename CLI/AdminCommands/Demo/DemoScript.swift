internal import CFileSchemas
internal import DeviceFiles
internal import Foundation
internal import SchemaFiles
internal import WaypostSchema

/// A demo: its devices, its batch, and the expected results.
struct DemoScript: Sendable {
    /// A device and the file that describes it.
    struct Device: Sendable {
        let path: String
        let name: String
    }

    /// The expected result of opening a notification.
    struct Expectation: Codable, Sendable, Equatable {
        var notification: NotificationID
        var device: String
        var scene: SceneIdentifier
        var reason: SceneDecision.Reason
    }

    /// An app, and the device on which its process runs.
    struct AppProcess: Sendable {
        let path: String
        let device: String
        let app: BundleIdentifier

        /// The rich previews that the process supplies.
        let previews: [LinkPreview]
    }

    /// An action of the user.
    struct Action: Decodable, Sendable, Equatable {
        let device: String
        let event: DeviceEvent

        private enum CodingKeys: CodingKey {
            case device
        }

        init(from decoder: any Decoder) throws {
            device = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .device)
            event = try DeviceEvent(from: decoder)
        }
    }

    /// The links that an app's shelf must have, in order.
    struct ExpectedShelf: Codable, Sendable, Equatable {
        var device: String
        var app: BundleIdentifier
        var links: [String]
    }

    let devices: [Device]

    /// The apps that run as separate processes.
    let apps: [AppProcess]

    /// The batch; the token of an item is the name of a device.
    let batch: [BatchItem]

    /// The user's actions after the batch has arrived.
    let actions: [Action]

    /// The expected results, one for each notification of the batch that can be opened, in the batch's order.
    let expectations: [Expectation]

    /// The expected shelves.
    let shelves: [ExpectedShelf]

    /// The steps after the notifications.
    let steps: [DemoStep]

    /// Reads the demo in `folder`.
    ///
    /// - Throws: `FileFindings` or `CommandFailure` that names the file, if a file cannot be used.
    init(from folder: URL) throws {
        devices = try Self.readDevices(folder.appending(path: "devices"))
        apps = try Self.readApps(folder.appending(path: "apps"), on: devices)
        batch = try Self.readLines(folder.appending(path: "batch.jsonl").path)
        let actionsFile = folder.appending(path: "actions.jsonl").path
        actions = FileManager.default.fileExists(atPath: actionsFile) ? try Self.readLines(actionsFile) : []
        expectations = try Self.readList(folder.appending(path: "expectations.yaml").path, as: "DemoExpectations")
        shelves = try Self.readList(folder.appending(path: "shelves.yaml").path, as: "DemoShelves")
        steps = try Self.readList(folder.appending(path: "steps.yaml").path, as: "DemoSteps")
        try validate(in: folder)
    }

    private static func readDevices(_ folder: URL) throws -> [Device] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            throw CommandFailure.unusable("\(folder.path): there is no such folder")
        }
        let schema = try FileSchema.device()
        return try names.filter { $0.hasSuffix(".yaml") }.sorted().map { name in
            let path = folder.appending(path: name).path
            return Device(path: path, name: try DeviceFile(path, schema).description.name)
        }
    }

    /// Reads the apps in `folder`; the apps of a device are in a subfolder with the name of the device's file.
    private static func readApps(_ folder: URL, on devices: [Device]) throws -> [AppProcess] {
        let schema = try FileSchema.app()
        return try devices.flatMap { device in
            let name = URL(filePath: device.path).deletingPathExtension().lastPathComponent
            let appFolder = folder.appending(path: name)
            let files = (try? FileManager.default.contentsOfDirectory(atPath: appFolder.path)) ?? []
            return try files.filter { $0.hasSuffix(".yaml") }.sorted().map { file in
                let path = appFolder.appending(path: file).path
                let app = try AppFile(path, schema)
                return AppProcess(
                    path: path,
                    device: device.name,
                    app: app.app.bundleIdentifier,
                    previews: app.process?.previews ?? []
                )
            }
        }
    }

    /// Reads the list in a file; it is empty if there is no such file.
    private static func readList<Value: Decodable>(_ path: String, as type: String) throws -> [Value] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let schema = try FileSchema(embedded: waypost_demo_schema)
        return try SchemaFile(path, schema.rooted(at: type), called: "the list").decoded()
    }

    private static func readLines<Value: Decodable>(_ path: String) throws -> [Value] {
        var values: [Value] = []
        try LineInput(files: [path]).forEach(Value.self) { values.append($0) }
        return values
    }

    /// The items of the batch that the user can open.
    var openableItems: [BatchItem] {
        batch.filter { ![.messages, .activities].contains($0.topic) }
    }

    /// Checks that the names of devices are unique, and that the batch and the expectations agree with each other.
    private func validate(in folder: URL) throws(CommandFailure) {
        let names = Set(devices.map(\.name))
        guard names.count == devices.count else {
            throw .unusable("\(folder.path): two devices have the same name")
        }
        for item in batch where !names.contains(item.token.rawValue) {
            throw .unusable(
                "\(folder.path)/batch.jsonl: each line needs the name of a device as its 'token': "
                    + "\(names.sorted().joined(separator: ", "))"
            )
        }
        for item in openableItems where item.id == nil {
            throw .unusable("\(folder.path)/batch.jsonl: each line that is not a Messages event needs an 'id'")
        }
        guard openableItems.compactMap(\.id) == expectations.map(\.notification) else {
            throw .unusable(
                "\(folder.path)/expectations.yaml: the notifications must be those of batch.jsonl that can be opened, "
                    + "in the same order"
            )
        }
    }
}
