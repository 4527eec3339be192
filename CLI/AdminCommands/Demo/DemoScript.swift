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

    let devices: [DeviceFile]

    /// The batch; the token of an item is the name of a device here.
    let batch: [BatchItem]

    /// One for each item of the batch, in its order.
    let expectations: [Expectation]

    /// Reads the demo in `folder`.
    ///
    /// - Throws: `CommandFailure` naming the file that cannot be used.
    init(from folder: URL) throws {
        devices = try Self.readDevices(folder.appending(path: "devices"))
        batch = try Self.readBatch(folder.appending(path: "batch.jsonl").path)
        let expectationsFile = folder.appending(path: "expectations.yaml").path
        expectations = try Self.read([Expectation].self, from: expectationsFile)
        try checkNames(in: folder)
    }

    private static func readDevices(_ folder: URL) throws -> [DeviceFile] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            throw CommandFailure.unusable("\(folder.path): there is no such folder")
        }
        return try names.filter { $0.hasSuffix(".yaml") }.sorted().map { name in
            let path = folder.appending(path: name).path
            return DeviceFile(path: path, name: try read(DeviceDescription.self, from: path).name)
        }
    }

    private static func readBatch(_ path: String) throws -> [BatchItem] {
        var items: [BatchItem] = []
        try LineInput(files: [path]).forEach(BatchItem.self) { items.append($0) }
        return items
    }

    private static func read<Value: Codable>(_ type: Value.Type, from path: String) throws -> Value {
        do {
            return try DescriptionFile.read(type, from: path)
        } catch {
            throw CommandFailure.unusable("\(error)")
        }
    }

    private func checkNames(in folder: URL) throws {
        let names = Set(devices.map(\.name))
        guard names.count == devices.count else {
            throw CommandFailure.unusable("\(folder.path): two devices have the same name")
        }
        for item in batch where !names.contains(item.token.rawValue) || item.id == nil {
            throw CommandFailure.unusable(
                "\(folder.path)/batch.jsonl: each line needs an 'id', and the name of a device as its 'token': "
                    + "\(names.sorted().joined(separator: ", "))"
            )
        }
        guard batch.compactMap(\.id) == expectations.map(\.notification) else {
            throw CommandFailure.unusable(
                "\(folder.path)/expectations.yaml: the notifications must be those of batch.jsonl, in its order"
            )
        }
    }
}
