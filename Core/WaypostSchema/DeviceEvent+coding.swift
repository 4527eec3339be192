// For base64.
internal import FoundationEssentials

extension DeviceEvent {
    private enum Field: String, CodingKey {
        case type
        case action, activation, activity, answer, app, call, category, conditions, contact, conversation, device,
            displayContext
        case domain, failure, file, fileBase64, focus, from, isOn, item, items, language, message, name, notification
        case preferences, preview, result, scene, settings, snapshot, source, target, text, url, view
    }
}

extension DeviceEvent: Codable {
    /// Parses an event: an object whose `type` names it, with the fields of the event next to it.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        let kind = try fields.decode(Kind.self, forKey: .type)
        func read<Value: Decodable>(_ field: Field) throws -> Value {
            try fields.decode(Value.self, forKey: field)
        }
        func readIfPresent<Value: Decodable>(_ field: Field) throws -> Value? {
            try fields.decodeIfPresent(Value.self, forKey: field)
        }
        self =
            switch kind {
            case .deviceDescribed: .deviceDescribed(try read(.device))
            case .appInstalled: .appInstalled(try read(.app))
            case .appRemoved: .appRemoved(try read(.app))
            case .associationChecked: try Self.associationChecked(in: fields)
            case .contactChanged: .contactChanged(try read(.contact))
            case .contactRemoved: .contactRemoved(try read(.contact))
            case .conversationChanged: .conversationChanged(try read(.conversation))
            case .conversationDeleted: .conversationDeleted(try read(.conversation))
            case .messageReceived: .messageReceived(try read(.message))
            case .messageEdited: .messageEdited(try read(.message), text: try read(.text))
            case .messageDeleted: .messageDeleted(try read(.message))
            case .linkPinned: .linkPinned(try read(.message), url: try readIfPresent(.url))
            case .linkUnpinned: .linkUnpinned(try read(.message), url: try readIfPresent(.url))
            case .linkResolved: .linkResolved(url: try read(.url), target: try read(.target))
            case .linkRemoved: .linkRemoved(url: try read(.url))
            case .linkRestored: .linkRestored(url: try read(.url))
            case .sharingSet: .sharingSet(try SharingScope(from: decoder), isOn: try read(.isOn))
            case .automaticSharingSet: .automaticSharingSet(try read(.app), isOn: try read(.isOn))
            case .automaticSharingOfferAnswered: .automaticSharingOfferAnswered(try read(.app), try read(.answer))
            case .attributionRequested:
                .attributionRequested(
                    try read(.app),
                    try read(.view),
                    url: try read(.url),
                    try readIfPresent(.preferences) ?? AttributionPreferences()
                )
            case .attributionReleased: .attributionReleased(try read(.app), try read(.view))
            case .attributionAttached:
                .attributionAttached(
                    try read(.app),
                    try read(.view),
                    url: try readIfPresent(.url),
                    try readIfPresent(.displayContext)
                )
            case .attributionDetached: .attributionDetached(try read(.app), try read(.view))
            case .attributionContextChanged:
                .attributionContextChanged(try read(.app), try read(.view), try read(.displayContext))
            case .attributionTapped: .attributionTapped(try read(.app), try read(.view), try readIfPresent(.scene))
            case .menuItemChosen:
                .menuItemChosen(try read(.app), try read(.view), try read(.item), try readIfPresent(.scene))
            case .conversationChosen: .conversationChosen(try read(.conversation))
            case .replySent: .replySent(try Self.reply(in: fields))
            case .messageDelivered: .messageDelivered(try read(.message))
            case .presentationDismissed: .presentationDismissed
            case .highlightInteracted: .highlightInteracted(try read(.app), url: try read(.url))
            case .contentFinished: .contentFinished(try read(.app), url: try read(.url))
            case .notificationDelivered: .notificationDelivered(try read(.notification))
            case .notificationOpened: .notificationOpened(try read(.notification))
            case .notificationDismissed: .notificationDismissed(try read(.notification))
            case .notificationActionChosen:
                .notificationActionChosen(
                    try read(.notification),
                    action: try read(.action),
                    text: try readIfPresent(.text)
                )
            case .appCallFinished: .appCallFinished(try read(.app), call: try read(.call), try read(.result))
            case .appForceQuit: .appForceQuit(try read(.app))
            case .backgroundRefreshSet: .backgroundRefreshSet(try read(.app), isOn: try read(.isOn))
            case .lockSet: .lockSet(isOn: try read(.isOn))
            case .liveActivityDismissed: .liveActivityDismissed(try read(.notification))
            case .appOpened: .appOpened(try read(.app))
            case .sceneCreated: .sceneCreated(try read(.app), try readIfPresent(.activity))
            case .sceneBroughtForward:
                .sceneBroughtForward(try read(.app), try read(.scene), try readIfPresent(.activity))
            case .sceneBackgrounded: .sceneBackgrounded(try read(.app), try read(.scene))
            case .sceneDisconnected: .sceneDisconnected(try read(.app), try read(.scene))
            case .sceneClosed: .sceneClosed(try read(.app), try read(.scene))
            case .activationConditionsSet:
                .activationConditionsSet(try read(.app), try read(.scene), try read(.conditions))
            case .restorationActivitySet:
                .restorationActivitySet(try read(.app), try read(.scene), try readIfPresent(.activity))
            case .shortcutItemsSet: .shortcutItemsSet(try read(.app), try read(.items))
            case .shortcutItemPerformed: .shortcutItemPerformed(try read(.app), type: try read(.item))
            case .userActivityContinued:
                .userActivityContinued(try read(.app), try read(.activity), from: try readIfPresent(.from))
            case .urlOpened: .urlOpened(try read(.url), from: try readIfPresent(.from))
            case .activationTaken: .activationTaken(try read(.app), number: try read(.activation))
            case .previewSupplied: .previewSupplied(try read(.app), try read(.preview))
            case .notificationSettingsSet: .notificationSettingsSet(try read(.app), try read(.settings))
            case .focusSet: .focusSet(try readIfPresent(.focus))
            case .lowPowerModeSet: .lowPowerModeSet(isOn: try read(.isOn))
            case .prefersOnlyAmongCapableSet: .prefersOnlyAmongCapableSet(isOn: try read(.isOn))
            case .airplaneModeSet: .airplaneModeSet(isOn: try read(.isOn))
            case .languageSet: .languageSet(try read(.language))
            case .contentSizeCategorySet: .contentSizeCategorySet(try read(.category))
            case .deviceRenamed: .deviceRenamed(try read(.name))
            case .snapshotTaken: .snapshotTaken(try read(.snapshot))
            case .deviceRestored: .deviceRestored(snapshot: try readIfPresent(.snapshot))
            case .timePassed: .timePassed
            }
    }

    /// Writes the event's name and its fields into one object.
    public func encode(to encoder: any Encoder) throws {
        let (kind, values) = written
        var fields = encoder.container(keyedBy: Field.self)
        try fields.encode(kind, forKey: .type)
        if case .sharingSet(let scope, _) = self { try scope.encode(to: encoder) }
        try fields.encode(values)
    }

    /// The name of the event.
    public var kind: Kind {
        written.kind
    }

    /// The event's name and its fields, in writing order; a field without a value is omitted.
    ///
    /// A sharing scope is written separately.
    private var written: (kind: Kind, fields: KeyValuePairs<Field, (any Encodable)?>) {
        switch self {
        case .deviceDescribed(let device): (.deviceDescribed, [.device: device])
        case .appInstalled(let app): (.appInstalled, [.app: app])
        case .appRemoved(let app): (.appRemoved, [.app: app])
        case .associationChecked(let domain, let source, .failure(let failure)):
            (.associationChecked, [.domain: domain, .source: source, .failure: failure])
        case .associationChecked(let domain, let source, .success(let bytes)):
            // A UTF-8 file is written as readable text, any other file in base64.
            if let text = String(validating: bytes, as: UTF8.self) {
                (.associationChecked, [.domain: domain, .source: source, .file: text])
            } else {
                (
                    .associationChecked,
                    [.domain: domain, .source: source, .fileBase64: Data(bytes).base64EncodedString()]
                )
            }
        case .contactChanged(let contact): (.contactChanged, [.contact: contact])
        case .contactRemoved(let contact): (.contactRemoved, [.contact: contact])
        case .conversationChanged(let conversation): (.conversationChanged, [.conversation: conversation])
        case .conversationDeleted(let conversation): (.conversationDeleted, [.conversation: conversation])
        case .messageReceived(let message): (.messageReceived, [.message: message])
        case .messageEdited(let message, let text): (.messageEdited, [.message: message, .text: text])
        case .messageDeleted(let message): (.messageDeleted, [.message: message])
        case .linkPinned(let message, let url): (.linkPinned, [.message: message, .url: url])
        case .linkUnpinned(let message, let url): (.linkUnpinned, [.message: message, .url: url])
        case .linkResolved(let url, let target): (.linkResolved, [.url: url, .target: target])
        case .linkRemoved(let url): (.linkRemoved, [.url: url])
        case .linkRestored(let url): (.linkRestored, [.url: url])
        case .sharingSet(_, let isOn): (.sharingSet, [.isOn: isOn])
        case .automaticSharingSet(let app, let isOn): (.automaticSharingSet, [.app: app, .isOn: isOn])
        case .automaticSharingOfferAnswered(let app, let answer):
            (.automaticSharingOfferAnswered, [.app: app, .answer: answer])
        case .attributionRequested(let app, let view, let url, let preferences):
            (.attributionRequested, [.app: app, .view: view, .url: url, .preferences: preferences])
        case .attributionReleased(let app, let view): (.attributionReleased, [.app: app, .view: view])
        case .attributionAttached(let app, let view, let url, let context):
            (.attributionAttached, [.app: app, .view: view, .displayContext: context, .url: url])
        case .attributionDetached(let app, let view): (.attributionDetached, [.app: app, .view: view])
        case .attributionContextChanged(let app, let view, let context):
            (.attributionContextChanged, [.app: app, .view: view, .displayContext: context])
        case .attributionTapped(let app, let view, let scene):
            (.attributionTapped, [.app: app, .view: view, .scene: scene])
        case .menuItemChosen(let app, let view, let item, let scene):
            (.menuItemChosen, [.app: app, .view: view, .item: item, .scene: scene])
        case .conversationChosen(let conversation): (.conversationChosen, [.conversation: conversation])
        case .replySent(let message): (.replySent, [.message: message])
        case .messageDelivered(let message): (.messageDelivered, [.message: message])
        case .presentationDismissed: (.presentationDismissed, [:])
        case .highlightInteracted(let app, let url): (.highlightInteracted, [.app: app, .url: url])
        case .contentFinished(let app, let url): (.contentFinished, [.app: app, .url: url])
        case .notificationDelivered(let notification): (.notificationDelivered, [.notification: notification])
        case .notificationOpened(let notification): (.notificationOpened, [.notification: notification])
        case .notificationDismissed(let notification): (.notificationDismissed, [.notification: notification])
        case .notificationActionChosen(let notification, let action, let text):
            (.notificationActionChosen, [.notification: notification, .action: action, .text: text])
        case .appCallFinished(let app, let call, let result):
            (.appCallFinished, [.app: app, .call: call, .result: result])
        case .appForceQuit(let app): (.appForceQuit, [.app: app])
        case .backgroundRefreshSet(let app, let isOn): (.backgroundRefreshSet, [.app: app, .isOn: isOn])
        case .lockSet(let isOn): (.lockSet, [.isOn: isOn])
        case .liveActivityDismissed(let notification): (.liveActivityDismissed, [.notification: notification])
        case .appOpened(let app): (.appOpened, [.app: app])
        case .sceneCreated(let app, let activity): (.sceneCreated, [.app: app, .activity: activity])
        case .sceneBroughtForward(let app, let scene, let activity):
            (.sceneBroughtForward, [.app: app, .scene: scene, .activity: activity])
        case .sceneBackgrounded(let app, let scene): (.sceneBackgrounded, [.app: app, .scene: scene])
        case .sceneDisconnected(let app, let scene): (.sceneDisconnected, [.app: app, .scene: scene])
        case .sceneClosed(let app, let scene): (.sceneClosed, [.app: app, .scene: scene])
        case .activationConditionsSet(let app, let scene, let conditions):
            (.activationConditionsSet, [.app: app, .scene: scene, .conditions: conditions])
        case .restorationActivitySet(let app, let scene, let activity):
            (.restorationActivitySet, [.app: app, .scene: scene, .activity: activity])
        case .shortcutItemsSet(let app, let items): (.shortcutItemsSet, [.app: app, .items: items])
        case .shortcutItemPerformed(let app, let item): (.shortcutItemPerformed, [.app: app, .item: item])
        case .userActivityContinued(let app, let activity, let device):
            (.userActivityContinued, [.app: app, .activity: activity, .from: device])
        case .urlOpened(let url, let app): (.urlOpened, [.url: url, .from: app])
        case .activationTaken(let app, let number): (.activationTaken, [.app: app, .activation: number])
        case .previewSupplied(let app, let preview): (.previewSupplied, [.app: app, .preview: preview])
        case .notificationSettingsSet(let app, let settings):
            (.notificationSettingsSet, [.app: app, .settings: settings])
        case .focusSet(let focus): (.focusSet, [.focus: focus])
        case .lowPowerModeSet(let isOn): (.lowPowerModeSet, [.isOn: isOn])
        case .prefersOnlyAmongCapableSet(let isOn): (.prefersOnlyAmongCapableSet, [.isOn: isOn])
        case .airplaneModeSet(let isOn): (.airplaneModeSet, [.isOn: isOn])
        case .languageSet(let language): (.languageSet, [.language: language])
        case .contentSizeCategorySet(let category): (.contentSizeCategorySet, [.category: category])
        case .deviceRenamed(let name): (.deviceRenamed, [.name: name])
        case .snapshotTaken(let snapshot): (.snapshotTaken, [.snapshot: snapshot])
        case .deviceRestored(let snapshot): (.deviceRestored, [.snapshot: snapshot])
        case .timePassed: (.timePassed, [:])
        }
    }

    /// Parses a reply, which only the user can send.
    private static func reply(in fields: KeyedDecodingContainer<Field>) throws -> Message {
        let message = try fields.decode(Message.self, forKey: .message)
        guard message.sender == nil else {
            throw DecodingError.dataCorruptedError(
                forKey: .message,
                in: fields,
                debugDescription: "a reply must not have a 'sender', because the user sends it"
            )
        }
        return message
    }

    /// Parses a domain's answer: the content in `file` or `fileBase64`, or the reason for its absence in `failure`.
    private static func associationChecked(in fields: KeyedDecodingContainer<Field>) throws -> DeviceEvent {
        let domain = try fields.decode(String.self, forKey: .domain)
        let wellKnown = "https://\(domain)/.well-known/apple-app-site-association"
        let source = try fields.decodeIfPresent(String.self, forKey: .source) ?? wellKnown
        let file = try fields.decodeIfPresent(String.self, forKey: .file)
        let base64 = try fields.decodeIfPresent(String.self, forKey: .fileBase64)
        let failure = try fields.decodeIfPresent(AssociationFailure.self, forKey: .failure)
        let result: Result<[UInt8], AssociationFailure>
        switch (file, base64, failure) {
        case (let file?, nil, nil): result = .success(Array(file.utf8))
        case (nil, let base64?, nil):
            guard let data = Data(base64Encoded: base64) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .fileBase64,
                    in: fields,
                    debugDescription: "the file must be valid base64, padded with '='"
                )
            }
            result = .success(Array(data))
        case (nil, nil, let failure?): result = .failure(failure)
        default:
            throw DecodingError.dataCorruptedError(
                forKey: .file,
                in: fields,
                debugDescription: "exactly one of 'file', 'fileBase64' and 'failure' is required"
            )
        }
        return .associationChecked(domain: domain, source: source, result)
    }
}
