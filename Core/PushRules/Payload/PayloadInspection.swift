internal import JSONScanning
internal import TextBasics
internal import WaypostSchema

/// An inspection of one payload that collects what is unusual in it.
struct PayloadInspection {
    /// The notification without its payload.
    let context: PayloadCheck.Context

    /// The rules of the push type; those of an alert for an unknown one.
    let contract: PushTypeContract

    /// The members of the payload.
    let payload: [JSONMember]

    /// The `aps` member; `nil` if there is none.
    let apsMember: JSONMember?

    /// The members of `aps`; none if it is not an object.
    let aps: [JSONMember]

    /// The offset of the payload.
    let offset: Int

    /// The findings until now.
    private(set) var findings: [PayloadCheck.LocatedFinding] = []

    init(_ payload: [JSONMember], at offset: Int, _ context: PayloadCheck.Context) {
        // The file of a payload may name the app for the Simulator.
        self.payload = payload.filter { $0.name != PayloadCheck.simulatorKey }
        self.offset = offset
        self.context = context
        contract = .contract(for: context.pushType, topic: context.topic) ?? .alert
        apsMember = payload.last { $0.name == "aps" }
        aps = apsMember?.value.members ?? []
    }

    /// Adds a finding.
    mutating func add(
        _ code: NotificationFinding.Code,
        _ severity: FindingSeverity,
        _ message: String,
        at offset: Int
    ) {
        findings.append(
            PayloadCheck.LocatedFinding(
                finding: NotificationFinding(code: code, severity: severity, message: message),
                offset: offset
            )
        )
    }

    /// Returns the value of a key of `aps`; the last one counts if there are several.
    func value(of key: String) -> JSONNode? {
        aps.last { $0.name == key }?.value
    }

    /// The value of `aps.event`.
    var event: String? {
        value(of: "event")?.string
    }

    /// Whether a visible alert is in the payload, as far as its texts are strings.
    var hasVisibleAlert: Bool {
        guard let alert = value(of: "alert") else { return false }
        if let text = alert.string { return !text.isEmpty }
        return alert.members?.contains { Self.isText($0) } ?? false
    }

    /// Whether a member of an alert is one of its texts, or the key of one, and is not empty.
    private static func isText(_ member: JSONMember) -> Bool {
        let textKeys = ["title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key"]
        guard textKeys.contains(member.name) else { return false }
        return member.value.string.map { !$0.isEmpty } ?? (member.value.members != nil)
    }

    /// Inspects everything.
    mutating func inspect() {
        inspectRepeatedKeys(of: payload, in: "the payload")
        inspectSize()
        let foreignForm = inspectForeignForm()
        inspectMisplacedKeys()
        if apsMember?.value.members == nil, contract.aps.value == .required, !foreignForm {
            add(.missingAps, .error, "the payload has no 'aps' object, the part that devices read", at: offset)
        }
        inspectRequiredKeys()
        inspectOwnKeys()
        inspectIgnoredKeys()
        inspectPriority()
        guard let apsMember, apsMember.value.members != nil else { return }
        inspectRepeatedKeys(of: aps, in: "'aps'")
        inspectMembers(of: aps, in: "aps", PayloadKey.aps)
        inspectTargetContentIdentifier()
        if contract.pushType == "liveactivity" { inspectLiveActivity() }
        guard contract.pushType == .alert || contract.pushType == "liveactivity" else { return }
        inspectAlert()
        inspectSound()
    }

    private mutating func inspectRepeatedKeys(of members: [JSONMember], in place: String) {
        var names: Set<String> = []
        for member in members where !names.insert(member.name).inserted {
            let message = "'\(member.name.safe(for: .excerpt))' appears more than once in \(place)"
            add(.repeatedKey, .warning, message, at: member.offset)
        }
    }

    /// Returns whether a payload has more than 90 % of the bytes that it may have.
    static func isNearlyTooLarge(_ context: PayloadCheck.Context) -> Bool {
        let limit = limit(context)
        return context.size.map { $0 > limit * 9 / 10 && $0 <= limit } ?? false
    }

    private static func limit(_ context: PayloadCheck.Context) -> Int {
        context.maximumSize ?? PayloadCheck.maximumSize(for: context.pushType, topic: context.topic)
    }

    private mutating func inspectSize() {
        guard let size = context.size, Self.isNearlyTooLarge(context) else { return }
        let limit = Self.limit(context)
        let message = "the payload has \(size) of \(limit) bytes; a character that is escaped has 6 bytes or more"
        add(.nearlyTooLarge, .note, message, at: offset)
    }

    /// Reports a payload that is in the form of another service, or encoded twice; returns whether it is.
    private mutating func inspectForeignForm() -> Bool {
        if let apsMember, let text = apsMember.value.string {
            guard text.isJSONObject else { return false }
            let message = "'aps' is a string that contains JSON, so it was encoded twice; it must be an object"
            add(.encodedTwice, .error, message, at: apsMember.value.offset)
            return true
        }
        guard contract.aps.value == .required, apsMember == nil, let member = payload.first(where: \.isOfFirebase)
        else {
            return false
        }
        let message = """
            this is a message for Firebase Cloud Messaging; APNs needs the inner payload, with 'aps' at the top level
            """
        add(.firebaseMessage, .error, message, at: member.offset)
        return true
    }

    private mutating func inspectMisplacedKeys() {
        guard contract.aps.value == .required else { return }
        for member in payload where member.name != "aps" {
            guard let key = misplacedKey(member.name), value(of: key) == nil else { continue }
            let name = "'\(member.name.safe(for: .excerpt))'"
            let message = "\(name) beside 'aps' is a key of the app, without an effect; write '\(key)' inside 'aps'"
            let isEssential = aps.isEmpty || key == "content-state"
            add(.misplacedKey, isEssential ? .error : .warning, message, at: member.offset)
        }
    }

    /// Returns the key of `aps` that a key beside `aps` probably is; `nil` for a key that an app may well have.
    private func misplacedKey(_ name: String) -> String? {
        if let key = PayloadKey.aps[name] {
            return key.isUsable(with: context.pushType) ? name : nil
        }
        // A key without a hyphen, such as 'threadId', is likely to be the app's own.
        let unmistakable = ["content-available", "mutable-content", "interruption-level", "relevance-score"]
        let letters = name.letters
        return unmistakable.first { $0.letters == letters }
    }

    /// Scenes compare the identifier with their own, so it should be a word without spaces; it is usually a URL.
    private mutating func inspectTargetContentIdentifier() {
        guard let node = value(of: "target-content-id"), let identifier = node.string else { return }
        // Looking up the properties of a character takes long, and an identifier is usually ASCII.
        let isWord =
            identifier.utf8.allSatisfy { 0x21..<0x7F ~= $0 }
            || !identifier.unicodeScalars.contains { $0.properties.isWhitespace || $0.value < 0x20 }
        guard identifier.isEmpty || !isWord else { return }
        add(
            .targetContentIdentifier,
            .warning,
            "'target-content-id' is '\(identifier.safe(for: .excerpt))', which is neither a URL nor an identifier without spaces",
            at: node.offset
        )
    }

    /// Reports a priority that does not fit the payload.
    private mutating func inspectPriority() {
        guard let priority = context.priority else { return }
        let place = apsMember?.offset ?? offset
        let isServiceUpdate = value(of: "ptt-push-type")?.string == "service-update"
        switch contract.priority.value {
        case .advised(let advised) where isServiceUpdate && priority == advised:
            let message = "a device accepts six service updates with priority \(advised) an hour; use 5"
            add(.pushToTalkPriority, .note, message, at: place)
        case .advised(let advised) where !isServiceUpdate && priority != advised:
            let message = "a push to talk with priority \(priority) may arrive late; use \(advised)"
            add(.pushToTalkPriority, .warning, message, at: place)
        case .budgeted where priority == 10 && event == "update" && value(of: "alert") == nil:
            let message = "an update with priority 10 counts against the activity's budget; use 5 for what can wait"
            add(.liveActivityPriority, .note, message, at: place)
        default: break
        }
    }
}

extension JSONNode {
    /// The members if the value is an object.
    var members: [JSONMember]? {
        if case .object(let members) = value { members } else { nil }
    }

    /// The text if the value is a string.
    var string: String? {
        if case .string(let string) = value { string } else { nil }
    }

    /// The number if the value is one that fits an `Int`.
    var wholeNumber: Int? {
        if case .number(let number) = value { Int(number) } else { nil }
    }
}

extension JSONMember {
    /// Whether a payload with the member, but without `aps`, is a message for Firebase Cloud Messaging.
    fileprivate var isOfFirebase: Bool {
        switch name {
        case "notification", "message": value.members != nil
        case "registration_ids": true
        default: false
        }
    }
}

extension String {
    /// Whether this is the text of a JSON object.
    var isJSONObject: Bool {
        guard let document = try? JSONDocument(Array(utf8)) else { return false }
        return document.root.members != nil
    }
}
