internal import DescriptionFiles
internal import Foundation
internal import WaypostSchema

/// What a demo does: its devices, the batch that is sent, and what must come of it.
struct DemoScript: Sendable {
    /// A device and the file that describes it.
    struct DeviceFile: Sendable {
        let path: String
        let name: String
    }

    /// What opening a notification must come to.
    struct Expectation: Codable, Sendable, Equatable {
        var notification: NotificationID
        var device: String
        var scene: SceneIdentifier
        var reason: SceneDecision.Reason
    }

    /// An app, and the device that a process of it runs on.
    struct AppProcess: Sendable {
        let path: String
        let device: String
        let app: BundleIdentifier

        /// The rich previews that the process supplies.
        let previews: [LinkPreview]
    }

    /// Something that a person does.
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

    /// What an app's shelf must have, in order.
    struct ExpectedShelf: Codable, Sendable, Equatable {
        var device: String
        var app: BundleIdentifier
        var links: [String]
    }

    let devices: [DeviceFile]

    /// The apps that run as processes of their own.
    let apps: [AppProcess]

    /// The batch; the token of an item is the name of a device here.
    let batch: [BatchItem]

    /// What the person does once the batch has arrived.
    let actions: [Action]

    /// One for each notification of the batch that can be opened, in its order.
    let expectations: [Expectation]

    /// One for each shelf that is looked at.
    let shelves: [ExpectedShelf]

    /// Reads the demo in `folder`.
    ///
    /// - Throws: `CommandFailure` naming the file that cannot be used.
    init(from folder: URL) throws {
        devices = try Self.readDevices(folder.appending(path: "devices"))
        apps = try Self.readApps(folder.appending(path: "apps"), on: devices)
        batch = try Self.readLines(folder.appending(path: "batch.jsonl").path)
        let actionsFile = folder.appending(path: "actions.jsonl").path
        actions = FileManager.default.fileExists(atPath: actionsFile) ? try Self.readLines(actionsFile) : []
        let expectationsFile = folder.appending(path: "expectations.yaml").path
        expectations = try DescriptionFile.readInput([Expectation].self, from: expectationsFile)
        let shelvesFile = folder.appending(path: "shelves.yaml").path
        let hasShelves = FileManager.default.fileExists(atPath: shelvesFile)
        shelves = hasShelves ? try DescriptionFile.readInput([ExpectedShelf].self, from: shelvesFile) : []
        try checkNames(in: folder)
    }

    private static func readDevices(_ folder: URL) throws -> [DeviceFile] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            throw CommandFailure.unusable("\(folder.path): there is no such folder")
        }
        return try names.filter { $0.hasSuffix(".yaml") }.sorted().map { name in
            let path = folder.appending(path: name).path
            return DeviceFile(path: path, name: try DescriptionFile.readInput(DeviceDescription.self, from: path).name)
        }
    }

    /// The apps below `folder`, each in a folder that is named as the file of its device.
    private static func readApps(_ folder: URL, on devices: [DeviceFile]) throws -> [AppProcess] {
        try devices.flatMap { device in
            let name = URL(filePath: device.path).deletingPathExtension().lastPathComponent
            let place = folder.appending(path: name)
            let files = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
            return try files.filter { $0.hasSuffix(".yaml") }.sorted().map { file in
                let path = place.appending(path: file).path
                let app = try DescriptionFile.readInput(AppFile.self, from: path)
                return AppProcess(
                    path: path,
                    device: device.name,
                    app: app.app.bundleIdentifier,
                    previews: app.process?.previews ?? []
                )
            }
        }
    }

    private static func readLines<Value: Decodable>(_ path: String) throws -> [Value] {
        var values: [Value] = []
        try LineInput(files: [path]).forEach(Value.self) { values.append($0) }
        return values
    }

    /// The items of the batch that a person can open.
    var openable: [BatchItem] {
        batch.filter { ![.messages, .activities].contains($0.topic) }
    }

    private func checkNames(in folder: URL) throws(CommandFailure) {
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
        for item in openable where item.id == nil {
            throw .unusable("\(folder.path)/batch.jsonl: each line that is no event of Messages needs an 'id'")
        }
        guard openable.compactMap(\.id) == expectations.map(\.notification) else {
            throw .unusable(
                "\(folder.path)/expectations.yaml: the notifications must be those of batch.jsonl that can be opened, in its order"
            )
        }
    }
}
