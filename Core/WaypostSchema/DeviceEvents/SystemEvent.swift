// For `Data`, which encodes and decodes base64.
internal import FoundationEssentials

/// An event of the device itself: its apps and their association files, its snapshots, and the passing of time.
public enum SystemEvent: Sendable, Equatable {
    /// The device takes the described state; apps that are not in the description are removed.
    case deviceDescribed(DeviceDescription)

    /// An app was installed or replaced.
    case appInstalled(AppDescription)

    /// An app was removed.
    case appRemoved(BundleIdentifier)

    /// The user forced an app to quit; it runs again if the user opens it.
    case appForceQuit(BundleIdentifier)

    /// A domain's association file was requested from `source`: the published one or the one for development, or if
    /// `isDevelopment` is `nil`, both.
    case associationChecked(
        domain: String,
        source: String,
        isDevelopment: Bool? = nil,
        Result<[UInt8], AssociationFailure>
    )

    /// The device got another name, as a fork does.
    case deviceRenamed(String)

    /// A named snapshot of the device was taken.
    case snapshotTaken(String)

    /// The device was restored from a snapshot, or, if none is named, reset to its description.
    case deviceRestored(snapshot: String?)

    /// The user restored a backup of another device, or of this one; all tokens are new.
    case backupRestored(DeviceDescription)

    /// Time passed; nothing else happened.
    case timePassed
}

extension SystemEvent {
    /// The names of the events.
    public enum Kind: String, StringEnum {
        case deviceDescribed, appInstalled, appRemoved, appForceQuit, associationChecked, deviceRenamed, snapshotTaken,
            deviceRestored, backupRestored, timePassed
    }

    init(_ kind: Kind, in fields: TaggedFields<DeviceEvent.Field>) throws {
        self =
            switch kind {
            case .deviceDescribed: try .deviceDescribed(fields.read(.device))
            case .appInstalled: try .appInstalled(fields.read(.app))
            case .appRemoved: try .appRemoved(fields.read(.app))
            case .appForceQuit: try .appForceQuit(fields.read(.app))
            case .associationChecked: try Self.associationChecked(in: fields)
            case .deviceRenamed: try .deviceRenamed(fields.read(.name))
            case .snapshotTaken: try .snapshotTaken(fields.read(.snapshot))
            case .deviceRestored: try .deviceRestored(snapshot: fields.readIfPresent(.snapshot))
            case .backupRestored: try .backupRestored(fields.read(.device))
            case .timePassed: .timePassed
            }
    }

    var taggedValues: TaggedValues<Kind, DeviceEvent.Field> {
        switch self {
        case .deviceDescribed(let device): (.deviceDescribed, [.device: device])
        case .appInstalled(let app): (.appInstalled, [.app: app])
        case .appRemoved(let app): (.appRemoved, [.app: app])
        case .appForceQuit(let app): (.appForceQuit, [.app: app])
        case .associationChecked(let domain, let source, let isDevelopment, .failure(let failure)):
            (
                .associationChecked,
                [.domain: domain, .source: source, .isDevelopment: isDevelopment, .failure: failure]
            )
        case .associationChecked(let domain, let source, let isDevelopment, .success(let bytes)):
            // A UTF-8 file is written as readable text, any other file in base64.
            if let text = String(validating: bytes, as: UTF8.self) {
                (
                    .associationChecked,
                    [.domain: domain, .source: source, .isDevelopment: isDevelopment, .file: text]
                )
            } else {
                (
                    .associationChecked,
                    [
                        .domain: domain, .source: source, .isDevelopment: isDevelopment,
                        .fileBase64: Data(bytes).base64EncodedString(),
                    ]
                )
            }
        case .deviceRenamed(let name): (.deviceRenamed, [.name: name])
        case .snapshotTaken(let snapshot): (.snapshotTaken, [.snapshot: snapshot])
        case .deviceRestored(let snapshot): (.deviceRestored, [.snapshot: snapshot])
        case .backupRestored(let device): (.backupRestored, [.device: device])
        case .timePassed: (.timePassed, [:])
        }
    }

    /// Parses a domain's answer: the content in `file` or `fileBase64`, or the reason for its absence in `failure`.
    private static func associationChecked(in fields: TaggedFields<DeviceEvent.Field>) throws -> Self {
        let domain = try fields.read(.domain) as String
        let defaultSource = "https://\(domain)/.well-known/apple-app-site-association"
        let source = try fields.readIfPresent(.source) as String? ?? defaultSource
        let file = try fields.readIfPresent(.file) as String?
        let base64 = try fields.readIfPresent(.fileBase64) as String?
        let failure = try fields.readIfPresent(.failure) as AssociationFailure?
        let result: Result<[UInt8], AssociationFailure>
        switch (file, base64, failure) {
        case (let file?, nil, nil): result = .success(Array(file.utf8))
        case (nil, let base64?, nil):
            guard let data = Data(base64Encoded: base64) else {
                throw fields.error(at: .fileBase64, "the file must be valid base64, padded with '='")
            }
            result = .success(Array(data))
        case (nil, nil, let failure?): result = .failure(failure)
        default:
            throw fields.error(at: .file, "exactly one of 'file', 'fileBase64' and 'failure' is required")
        }
        let isDevelopment = try fields.readIfPresent(.isDevelopment) as Bool?
        return .associationChecked(domain: domain, source: source, isDevelopment: isDevelopment, result)
    }
}
