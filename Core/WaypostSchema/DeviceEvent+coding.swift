// For base64.
internal import FoundationEssentials

extension DeviceEvent {
    fileprivate enum Field: String, CodingKey {
        case type
        case activation, activity, answer, app, category, conditions, contact, conversation, device, displayContext
        case domain, failure, file, fileBase64, from, isOn, item, items, language, message, name, notification
        case preferences, preview, scene, snapshot, source, target, text, url, view
    }
}

extension DeviceEvent: Codable {
    /// Reads an event: an object whose `type` names it, with its fields beside that.
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
            case .presentationDismissed: .presentationDismissed
            case .highlightInteracted: .highlightInteracted(try read(.app), url: try read(.url))
            case .contentFinished: .contentFinished(try read(.app), url: try read(.url))
            case .notificationDelivered: .notificationDelivered(try read(.notification))
            case .notificationOpened: .notificationOpened(try read(.notification))
            case .notificationDismissed: .notificationDismissed(try read(.notification))
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
            case .lowPowerModeSet: .lowPowerModeSet(isOn: try read(.isOn))
            case .airplaneModeSet: .airplaneModeSet(isOn: try read(.isOn))
            case .languageSet: .languageSet(try read(.language))
            case .contentSizeCategorySet: .contentSizeCategorySet(try read(.category))
            case .deviceRenamed: .deviceRenamed(try read(.name))
            case .snapshotTaken: .snapshotTaken(try read(.snapshot))
            case .deviceRestored: .deviceRestored(snapshot: try readIfPresent(.snapshot))
            case .timePassed: .timePassed
            }
    }

    /// Writes the event's name and its fields, flat.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        try fields.encode(kind, forKey: .type)
        switch self {
        case .deviceDescribed(let device): try fields.encode(device, forKey: .device)
        case .appInstalled(let app): try fields.encode(app, forKey: .app)
        case .appRemoved(let app): try fields.encode(app, forKey: .app)
        case .associationChecked(let domain, let source, let result):
            try fields.encode(domain, forKey: .domain)
            try fields.encode(source, forKey: .source)
            try fields.encode(result)
        case .contactChanged(let contact): try fields.encode(contact, forKey: .contact)
        case .contactRemoved(let contact): try fields.encode(contact, forKey: .contact)
        case .conversationChanged(let conversation): try fields.encode(conversation, forKey: .conversation)
        case .conversationDeleted(let conversation): try fields.encode(conversation, forKey: .conversation)
        case .messageReceived(let message): try fields.encode(message, forKey: .message)
        case .messageEdited(let message, let text):
            try fields.encode(message, forKey: .message)
            try fields.encode(text, forKey: .text)
        case .messageDeleted(let message): try fields.encode(message, forKey: .message)
        case .linkPinned(let message, let url), .linkUnpinned(let message, let url):
            try fields.encode(message, forKey: .message)
            try fields.encodeIfPresent(url, forKey: .url)
        case .linkResolved(let url, let target):
            try fields.encode(url, forKey: .url)
            try fields.encode(target, forKey: .target)
        case .linkRemoved(let url), .linkRestored(let url): try fields.encode(url, forKey: .url)
        case .sharingSet(let scope, let isOn):
            try scope.encode(to: encoder)
            try fields.encode(isOn, forKey: .isOn)
        case .automaticSharingSet(let app, let isOn):
            try fields.encode(app, forKey: .app)
            try fields.encode(isOn, forKey: .isOn)
        case .automaticSharingOfferAnswered(let app, let answer):
            try fields.encode(app, forKey: .app)
            try fields.encode(answer, forKey: .answer)
        case .attributionRequested(let app, let view, let url, let preferences):
            try fields.encode(app, view)
            try fields.encode(url, forKey: .url)
            try fields.encode(preferences, forKey: .preferences)
        case .attributionAttached(let app, let view, let url, let context):
            try fields.encode(app, view, context)
            try fields.encodeIfPresent(url, forKey: .url)
        case .attributionDetached(let app, let view), .attributionReleased(let app, let view):
            try fields.encode(app, view)
        case .attributionContextChanged(let app, let view, let context): try fields.encode(app, view, context)
        case .attributionTapped(let app, let view, let scene):
            try fields.encode(app, view)
            try fields.encodeIfPresent(scene, forKey: .scene)
        case .menuItemChosen(let app, let view, let item, let scene):
            try fields.encode(app, view)
            try fields.encode(item, forKey: .item)
            try fields.encodeIfPresent(scene, forKey: .scene)
        case .conversationChosen(let conversation): try fields.encode(conversation, forKey: .conversation)
        case .replySent(let message): try fields.encode(message, forKey: .message)
        case .presentationDismissed: break
        case .highlightInteracted(let app, let url), .contentFinished(let app, let url):
            try fields.encode(app, forKey: .app)
            try fields.encode(url, forKey: .url)
        case .notificationDelivered(let notification): try fields.encode(notification, forKey: .notification)
        case .notificationOpened(let notification), .notificationDismissed(let notification):
            try fields.encode(notification, forKey: .notification)
        case .appOpened(let app): try fields.encode(app, forKey: .app)
        case .sceneCreated(let app, let activity):
            try fields.encode(app, forKey: .app)
            try fields.encodeIfPresent(activity, forKey: .activity)
        case .sceneBroughtForward(let app, let scene, let activity),
            .restorationActivitySet(let app, let scene, let activity):
            try fields.encode(app, scene)
            try fields.encodeIfPresent(activity, forKey: .activity)
        case .sceneBackgrounded(let app, let scene), .sceneDisconnected(let app, let scene),
            .sceneClosed(let app, let scene):
            try fields.encode(app, scene)
        case .activationConditionsSet(let app, let scene, let conditions):
            try fields.encode(app, scene)
            try fields.encode(conditions, forKey: .conditions)
        case .shortcutItemsSet(let app, let items):
            try fields.encode(app, forKey: .app)
            try fields.encode(items, forKey: .items)
        case .shortcutItemPerformed(let app, let item):
            try fields.encode(app, forKey: .app)
            try fields.encode(item, forKey: .item)
        case .userActivityContinued(let app, let activity, let device):
            try fields.encode(app, forKey: .app)
            try fields.encode(activity, forKey: .activity)
            try fields.encodeIfPresent(device, forKey: .from)
        case .urlOpened(let url, let app):
            try fields.encode(url, forKey: .url)
            try fields.encodeIfPresent(app, forKey: .from)
        case .activationTaken(let app, let number):
            try fields.encode(app, forKey: .app)
            try fields.encode(number, forKey: .activation)
        case .previewSupplied(let app, let preview):
            try fields.encode(app, forKey: .app)
            try fields.encode(preview, forKey: .preview)
        case .lowPowerModeSet(let isOn), .airplaneModeSet(let isOn): try fields.encode(isOn, forKey: .isOn)
        case .languageSet(let language): try fields.encode(language, forKey: .language)
        case .contentSizeCategorySet(let category): try fields.encode(category, forKey: .category)
        case .deviceRenamed(let name): try fields.encode(name, forKey: .name)
        case .snapshotTaken(let snapshot): try fields.encode(snapshot, forKey: .snapshot)
        case .deviceRestored(let snapshot): try fields.encodeIfPresent(snapshot, forKey: .snapshot)
        case .timePassed: break
        }
    }

    /// Reads a reply, which the person sends and nobody else.
    private static func reply(in fields: KeyedDecodingContainer<Field>) throws -> Message {
        let message = try fields.decode(Message.self, forKey: .message)
        guard message.sender == nil else {
            throw DecodingError.dataCorruptedError(
                forKey: .message,
                in: fields,
                debugDescription: "a reply has no 'sender', as the person sends it"
            )
        }
        return message
    }

    /// Reads how a domain answered: `file` or `fileBase64` is what it sent, `failure` why it sent nothing.
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
                    debugDescription: "the file has to be in base64, with '=' at the end where it is needed"
                )
            }
            result = .success(Array(data))
        case (nil, nil, let failure?): result = .failure(failure)
        default:
            throw DecodingError.dataCorruptedError(
                forKey: .file,
                in: fields,
                debugDescription: "a domain answers with exactly one of 'file', 'fileBase64' and 'failure'"
            )
        }
        return .associationChecked(domain: domain, source: source, result)
    }
}

extension KeyedEncodingContainer<DeviceEvent.Field> {
    /// A file is text, so that people can read it; base64 where it is none.
    fileprivate mutating func encode(_ result: Result<[UInt8], AssociationFailure>) throws {
        switch result {
        case .failure(let failure): try encode(failure, forKey: .failure)
        case .success(let bytes):
            if let text = String(validating: bytes, as: UTF8.self) {
                try encode(text, forKey: .file)
            } else {
                try encode(Data(bytes).base64EncodedString(), forKey: .fileBase64)
            }
        }
    }

    fileprivate mutating func encode(_ app: BundleIdentifier, _ scene: SceneIdentifier) throws {
        try encode(app, forKey: .app)
        try encode(scene, forKey: .scene)
    }

    fileprivate mutating func encode(
        _ app: BundleIdentifier,
        _ view: AttributionViewID,
        _ context: DisplayContext? = nil
    ) throws {
        try encode(app, forKey: .app)
        try encode(view, forKey: .view)
        try encodeIfPresent(context, forKey: .displayContext)
    }
}
