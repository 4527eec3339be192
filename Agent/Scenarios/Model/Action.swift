internal import SchemaFiles
internal import WaypostSchema

/// An action of a step.
enum Action: Sendable, Equatable {
    case send([Sending])
    case message(MessageAction)
    case contact(device: String, Contact)
    case conversation(device: String, Conversation)
    case pin(LinkReference)
    case unpin(LinkReference)
    case open(Opening)
    case tap(Tap)
    case reply(Reply)
    case remove(device: String, link: String)
    case restore(device: String, link: String)
    case consent(ConsentChange)
    case app(AppControl)
    case callbacks(CallbackQuestion)
    case handoff(HandoffRequest)
    case subscribe(Subscription)
    case power(device: String, isLowPowerModeEnabled: Bool)
    case network(device: String, isOn: Bool)
    case standing(TokenChoice, TokenStanding)
    case uninstall(Uninstallation)
    case reinstall(device: String, BundleIdentifier)
    case update(device: String, BundleIdentifier)
    case rotateToken(TokenChoice)
    case restoreBackup(device: String, from: String)
    case kill(String)
    case restart(String)
    case advance(milliseconds: Int)
    case fault(TokenChoice, SendFault)
    case run(String)
    case snapshot(device: String, name: String)
    case reset(device: String, to: String?)
    case event(device: String, DeviceEvent)
    case call(APICall)

    /// The device, the app and the link that an action names.
    struct Subject: Sendable, Equatable {
        var device: String?
        var app: BundleIdentifier?
        var link: String?
    }

    /// The subject of the action.
    var subject: Subject {
        switch self {
        case .send(let sendings): Subject(device: sendings.onlyDevice)
        case .message(let message): Subject(device: message.device)
        case .contact(let device, _), .conversation(let device, _), .power(let device, _), .network(let device, _),
            .restoreBackup(let device, _), .snapshot(let device, _), .reset(let device, _), .event(let device, _):
            Subject(device: device)
        case .standing(let choice, _), .fault(let choice, _), .rotateToken(let choice):
            Subject(device: choice.device, app: choice.app)
        case .uninstall(let uninstallation): Subject(device: uninstallation.device, app: uninstallation.app)
        case .reinstall(let device, let app), .update(let device, let app): Subject(device: device, app: app)
        case .pin(let reference), .unpin(let reference): Subject(device: reference.device, link: reference.link)
        case .remove(let device, let link), .restore(let device, let link): Subject(device: device, link: link)
        case .open(let opening): Subject(device: opening.device, app: opening.app, link: opening.url)
        case .tap(let tap): Subject(device: tap.device, app: tap.app, link: tap.link)
        case .reply(let reply): Subject(device: reply.device, app: reply.app, link: reply.link)
        case .consent(let change): Subject(device: change.device, app: change.app)
        case .app(let control): Subject(device: control.device, app: control.app, link: control.view)
        case .callbacks(let question): Subject(device: question.device, app: question.app)
        case .handoff(let request): Subject(device: request.device, app: request.app)
        case .subscribe(let subscription): Subject(device: subscription.device)
        case .kill(let process), .restart(let process): Subject(device: process == "gateway" ? nil : process)
        case .call(let call): Subject(device: call.at == "gateway" ? nil : call.at)
        case .advance, .run: Subject()
        }
    }
}

extension [Sending] {
    /// The device to which everything is sent; `nil` if there are several.
    fileprivate var onlyDevice: String? {
        let names = Set(map { $0.to?.names ?? [] })
        return names.count == 1 && names.first?.count == 1 ? names.first?.first : nil
    }
}

/// The name of a device or a group, or several names.
struct DeviceNames: Decodable, Sendable, Equatable {
    var names: [String]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        names = (try? container.decode(String.self)).map { [$0] } ?? []
        if names.isEmpty { names = try container.decode([String].self) }
    }
}

/// Notifications to send.
struct Sending: Decodable, Sendable, Equatable {
    enum Route: String, Decodable, Sendable {
        case batch
        case provider
    }

    var to: DeviceNames?
    var channel: String?
    var topic: Topic
    var title: String?
    var body: String?
    var targetContentID: String?
    var payload: JSONValue?
    var pushType: PushType?
    var priority: Int?
    var expiration: Int?
    var expiresIn: String?
    var collapseID: CollapseIdentifier?
    var id: NotificationID?
    var count: Int?
    var over: Route?

    /// The token, if not the one that follows from the topic.
    var token: TokenSelector?

    /// The identifier or the title of the notification that started the Live Activity whose token it is.
    var liveActivity: String?

    /// Whether the notification goes to the last token that ended, instead of the current one.
    var previous: Bool?

    private enum CodingKeys: String, CodingKey {
        case to, channel, topic, title, body, payload, priority, expiration, id, count, over
        case token, liveActivity, previous
        case targetContentID = "target-content-id"
        case pushType = "push-type"
        case expiresIn = "expires-in"
        case collapseID = "collapse-id"
    }

    /// Returns the payload of the notification with a number, from 1.
    func payload(number: Int) -> JSONValue {
        if let payload { return payload.numbered(number) }
        let alert = [("title", title), ("body", body)].compactMap { key, text in
            text.map { (key, JSONValue.string($0.numbered(number))) }
        }
        var aps: [String: JSONValue] = [:]
        if !alert.isEmpty { aps["alert"] = .object(Dictionary(uniqueKeysWithValues: alert)) }
        if let targetContentID { aps["target-content-id"] = .string(targetContentID.numbered(number)) }
        return .object(["aps": .object(aps)])
    }

    /// Returns the title, or what stands for it: the text, or else the identifier.
    func title(number: Int, id: NotificationID) -> String {
        let payloadTitle = payload?["aps"]?["alert"]?["title"]?.string
        return title?.numbered(number) ?? body ?? payloadTitle?.numbered(number) ?? id.rawValue
    }

    /// Returns the time at which the notification expires, in seconds since 1970.
    func expiration(at now: Timestamp) -> Int? {
        expiresIn.flatMap(DurationText.milliseconds).map { (now.rawValue + $0) / 1_000 } ?? expiration
    }
}

extension String {
    /// Returns the string with the number of a notification instead of `{n}`.
    func numbered(_ number: Int) -> String {
        replacing("{n}", with: "\(number)")
    }
}

extension JSONValue {
    fileprivate func numbered(_ number: Int) -> JSONValue {
        switch self {
        case .string(let text): .string(text.numbered(number))
        case .array(let elements): .array(elements.map { $0.numbered(number) })
        case .object(let members): .object(members.mapValues { $0.numbered(number) })
        default: self
        }
    }
}

/// A message that arrives, or that the user sends.
struct MessageAction: Decodable, Sendable, Equatable {
    var device: String
    var from: String?
    var text: String
    var conversation: ConversationID?
    var id: MessageID?
}

/// A link of a message.
struct LinkReference: Decodable, Sendable, Equatable {
    var device: String
    var message: MessageID?
    var link: String?
}

/// Something that the user opens.
struct Opening: Decodable, Sendable, Equatable {
    var device: String
    var notification: String?
    var action: String?
    var text: String?
    var url: String?
    var from: BundleIdentifier?
    var page: String?
    var shortcut: String?
    var activity: String?
    var error: HandoffError?
    var app: BundleIdentifier?
}

extension MenuItemID {
    /// Show More, which the shelf has instead of a view's menu.
    static let showMore: MenuItemID = "show-more"
}

/// A tap on an attribution view, its menu or the disambiguation menu, or on Show More of a shelf.
struct Tap: Decodable, Sendable, Equatable {
    var device: String
    var app: BundleIdentifier?
    var link: String?
    var item: MenuItemID?
    var choose: String?

    /// Whether it is on Show More of the app's shelf.
    var isOnShowMore: Bool {
        link == nil && choose == nil && item == .showMore
    }
}

/// A reply from within an app.
struct Reply: Decodable, Sendable, Equatable {
    var device: String
    var text: String
    var app: BundleIdentifier?
    var link: String?
    var conversation: String?
}

/// A choice of the user about sharing, as a step, or in the description of a device, which names no other device.
struct ConsentChange: Decodable, Sendable, Equatable {
    enum Switch: String, Decodable, Sendable {
        case on
        case off
    }

    var device: String?
    var sharing: Switch?
    var automatic: Switch?
    var offer: OfferAnswer?
    var app: BundleIdentifier?
    var conversation: ConversationID?

    /// The event, or `nil` if the app is missing.
    var event: DeviceEvent? {
        if let sharing {
            let scope: SharingScope =
                app.map { .app($0) } ?? conversation.map { .conversation($0) } ?? .everywhere
            return .sharing(.sharingSet(scope, isOn: sharing == .on))
        }
        guard let app else { return nil }
        if let automatic { return .sharing(.automaticSharingSet(app, isOn: automatic == .on)) }
        return offer.map { .sharing(.automaticSharingOfferAnswered(app, $0)) }
    }
}

/// A change of an app's process, or the content that it shows.
struct AppControl: Decodable, Sendable, Equatable {
    var device: String
    var attach: String?
    var kill: BundleIdentifier?
    var view: String?
    var app: BundleIdentifier?
    var `for`: String?
    var context: DisplayContext?
    var finishes: Bool?
}

/// The removal of an app from a device.
struct Uninstallation: Decodable, Sendable, Equatable {
    var device: String
    var app: BundleIdentifier

    /// The time until the gateway tells senders.
    var after: String?
}

/// A question about the methods of an app that the system calls.
struct CallbackQuestion: Decodable, Sendable, Equatable {
    var device: String
    var app: BundleIdentifier
    var cause: EventCause
    var state: InitialState
    var system: Int?
}

/// An activity that continues on another device.
struct HandoffRequest: Decodable, Sendable, Equatable {
    var device: String
    var app: BundleIdentifier
    var scene: SceneIdentifier?
    var to: String
}

/// A subscription to a broadcast channel.
struct Subscription: Decodable, Sendable, Equatable {
    var device: String
    var channel: String
    var topic: Topic
    var stored: Bool?
}

/// A call of the gateway's service API, or of an agent's control API.
struct APICall: Decodable, Sendable, Equatable {
    var at: String
    var method: String?
    var path: String
    var body: JSONValue?
}
