internal import BatchItems
internal import GatewayStore
internal import JSONScanning
internal import PushRules
internal import WaypostSchema

/// The parsed items of a batch before they are stored: notifications to store, and items that are already refused.
struct ParsedBatch: Sendable {
    /// One item.
    struct Item: Sendable {
        var index: Int
        var line: Int
        var offset: Int
        var id: NotificationID?
        var refusal: ItemResult?
    }

    /// All items, in input order.
    private(set) var items: [Item] = []

    /// The notifications to store, in input order: the items that are not refused.
    private(set) var notifications: [NewNotification] = []

    /// The refused items, in input order, with the fields that could be read.
    private(set) var rejections: [RejectedItem] = []

    private let trace: RequestTrace

    /// The time of the batch; `nil` if its namespace may have another one.
    private let now: Timestamp?

    /// The meaning of a missing expiration.
    private let missingExpiration: MissingExpiration

    /// The maximum number of findings in an answer.
    private static let maximumFindings = 100

    /// The number of items for which memory is reserved at once.
    static let itemsPerReservation = 64

    /// Parses the items of an inflated body, which all belong to the trace of their request.
    ///
    /// `reserve` is called with a number of items before that many are in memory.
    ///
    /// - Throws: `GatewayError` if the body as a whole is not acceptable, and any error of `reserve`.
    init(
        _ bytes: [UInt8],
        limits: BatchLimits,
        trace: RequestTrace = RequestTrace(nil),
        now: Timestamp? = nil,
        missingExpiration: MissingExpiration = .store,
        makeID: (Int) -> NotificationID,
        reserve: (_ itemCount: Int) throws(GatewayError) -> Void = { _ in }
    ) throws(GatewayError) {
        self.trace = trace
        self.now = now
        self.missingExpiration = missingExpiration
        var reader = BatchItemReader(bytes)
        while let entry = try Self.next(&reader) {
            guard entry.index < limits.items else {
                throw .tooManyItems(limit: limits.items, line: entry.line)
            }
            if entry.index.isMultiple(of: Self.itemsPerReservation) {
                try reserve(entry.index + Self.itemsPerReservation)
            }
            add(entry, in: bytes, limits: limits, makeID: makeID)
        }
        guard !items.isEmpty else {
            throw .malformedBody("the batch has no items; send one JSON object per line, or an array of them")
        }
    }

    private static func next(_ reader: inout BatchItemReader) throws(GatewayError) -> BatchItemReader.Entry? {
        do {
            return try reader.next()
        } catch {
            let message = "the array is not JSON: \(error.jsonError); no item of the batch was accepted"
            throw .malformedBody(message, line: error.line, offset: error.jsonError.offset)
        }
    }

    private mutating func add(
        _ entry: BatchItemReader.Entry,
        in bytes: [UInt8],
        limits: BatchLimits,
        makeID: (Int) -> NotificationID
    ) {
        var item = Item(index: entry.index, line: entry.line, offset: entry.offset)
        var subject = LogSubject()
        switch entry.result {
        case _ where entry.length > limits.itemSize:
            let message = "the item has \(entry.length) bytes; at most \(limits.itemSize) are accepted"
            item.refusal = item.rejectedResult(.payloadTooLarge, message, field: nil)
        case .failure(let error):
            item.refusal = Self.refusal(of: error, in: entry, bytes)
        case .success(let scanned):
            do throws(ProviderRefusal) {
                var notification = try scanned.notification(in: bytes, at: now) { makeID(entry.index) }
                if missingExpiration == .drop { notification.dropWithoutExpiration() }
                notification.traceparent = trace.parent
                if let finding = trace.finding { notification.findings.append(finding) }
                item.id = notification.id
                notifications.append(notification)
            } catch {
                item.refusal = item.rejectedResult(
                    error.reason ?? .badRequestPayload,
                    error.message,
                    field: error.field,
                    offset: entry.offset
                )
                subject = scanned.logSubject(in: bytes)
            }
        }
        if let refusal = item.refusal?.rejection {
            subject.traceparent = trace.parent
            if let finding = trace.finding { subject.findings.append(finding) }
            rejections.append(RejectedItem(subject: subject, rejection: refusal))
        }
        items.append(item)
    }

    private static func refusal(
        of error: ScannedItemError,
        in entry: BatchItemReader.Entry,
        _ bytes: [UInt8]
    ) -> ItemResult {
        let item = Item(index: entry.index, line: entry.line, offset: entry.offset)
        let reason: RejectionReason =
            switch error.problem {
            case .missing(.token): .missingDeviceToken
            case .missing(.topic): .missingTopic
            case .missing(.payload): .payloadEmpty
            default: .badRequestPayload
            }
        let place = entry.location(of: error.offset, in: bytes)
        let message = "\(error), at column \(place.column) of line \(place.line)"
        return item.rejectedResult(reason, message, field: error.field, offset: error.offset)
    }

    /// Returns the result of each item, given the store's refusals of `notifications` in the same order.
    func results(refusals: [StoreRefusal?]) -> [ItemResult] {
        var stored = zip(refusals, notifications).makeIterator()
        return items.map { item in
            if let refusal = item.refusal { return refusal }
            guard let (refusal, notification) = stored.next(), let refusal else { return item.acceptedResult }
            return item.rejectedResult(for: refusal, of: notification)
        }
    }

    /// Returns the first errors and warnings about accepted items.
    ///
    /// - Parameters:
    ///   - refusals: the store's refusals of `notifications`, in the same order.
    ///   - now: the current time.
    /// - Returns: the findings, in input order.
    func findings(refusals: [StoreRefusal?], at now: Timestamp) -> [ItemFinding] {
        var stored = zip(refusals, notifications).makeIterator()
        var findings: [ItemFinding] = []
        for item in items where item.refusal == nil {
            guard findings.count < Self.maximumFindings, let (refusal, notification) = stored.next() else { break }
            guard refusal == nil else { continue }
            findings += (notification.findings + notification.headerFindings(at: now)).filter { $0.severity != .note }
                .map { ItemFinding(index: item.index, line: item.line, $0) }
        }
        return Array(findings.prefix(Self.maximumFindings))
    }

    /// Returns the result of each item, given the results of those that were rejected when the batch was accepted.
    func results(withRejected rejected: [ItemResult]) -> [ItemResult] {
        let byIndex = Dictionary(rejected.map { ($0.index, $0) }) { first, _ in first }
        return items.map { byIndex[$0.index] ?? $0.acceptedResult }
    }
}

extension ParsedBatch.Item {
    var acceptedResult: ItemResult {
        ItemResult(index: index, line: line, status: 200, id: id)
    }

    /// Returns the result of the item if the store refuses its notification.
    fileprivate func rejectedResult(for refusal: StoreRefusal, of notification: NewNotification) -> ItemResult {
        let rejection = refusal.rejection(of: notification)
        let fields: [RejectionReason: ScannedItem.Field] = [
            .deviceTokenNotForTopic: .topic, .invalidPushType: .pushType,
        ]
        let field = fields[refusal.reason] ?? .token
        var result = rejectedResult(refusal.reason, rejection.message, field: field)
        result.status = rejection.status
        result.timestamp = refusal.invalidSince
        return result
    }

    func rejectedResult(
        _ reason: RejectionReason,
        _ message: String,
        field: ScannedItem.Field?,
        offset: Int? = nil
    ) -> ItemResult {
        ItemResult(
            index: index,
            line: line,
            status: reason == .payloadTooLarge ? 413 : 400,
            id: id,
            reason: reason,
            message: message,
            field: field?.rawValue,
            offset: offset ?? self.offset
        )
    }
}

extension ItemResult {
    /// The reason for the rejection, or `nil` if the item was accepted.
    fileprivate var rejection: Rejection? {
        reason.map { Rejection(status: status, reason: $0, message: message ?? "") }
    }
}

extension StoreRefusal {
    /// The time at which the token became invalid.
    var invalidSince: Timestamp? {
        switch self {
        case .unregistered(let since), .expired(let since): since
        case .unknownToken, .wrongEnvironment, .wrongPurpose, .wrongPushType, .wrongTopic: nil
        }
    }
}

extension ScannedItem {
    private static let rules = NotificationRules(source: .batchItem)

    /// The maximum size in bytes of a token or topic that the log stores for a rejected item.
    private static let maximumLoggedSize = 256

    /// Returns the notification that the item describes; its payload is copied from `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: the bytes that the item was scanned from.
    ///   - now: the time of the batch, or `nil`.
    ///   - makeID: creates an identifier if the sender gave none.
    /// - Returns: the notification.
    /// - Throws: `ProviderRefusal` for the first rule that the item breaks.
    fileprivate func notification(
        in bytes: [UInt8],
        at now: Timestamp?,
        makeID: () -> NotificationID
    ) throws(ProviderRefusal) -> NewNotification {
        let rules = Self.rules
        let id = try rules.identifier(id?.string(in: bytes))
        let expiration = try checkedExpiration
        let priority = try checkedPriority
        let collapseID = try rules.collapseIdentifier(collapseID?.string(in: bytes))
        let pushTypeName = self.pushType?.string(in: bytes)
        let pushType = try rules.pushType(pushTypeName)
        let topic = try rules.topic(topic.string(in: bytes))
        try rules.checkSuffix(of: topic, for: pushType)
        let token = try rules.token(token.string(in: bytes))
        let inspectedType = pushTypeName == nil ? topic.impliedPushType : pushType
        try rules.checkPayloadSize(payload.count, pushType: inspectedType, topic: topic)
        let payloadBytes = Array(bytes[payload])
        let context = PayloadCheck.Context(
            pushType: inspectedType,
            topic: topic,
            priority: priority,
            size: payload.count,
            now: now
        )
        // In a batch, a missing push type is an alert by definition, unless the topic says otherwise.
        let isUnclear = pushTypeName == nil && inspectedType != .alert
        var findings = isUnclear ? [rules.missingPushTypeFinding(for: topic)] : []
        // The payload was scanned, so it is an object.
        if !topic.isOfWaypost, let found = try? PayloadCheck.findings(in: payloadBytes, context) {
            findings += PayloadCheck.reported(found.map(\.finding))
        }
        return NewNotification(
            id: id ?? makeID(),
            token: token,
            topic: topic,
            pushType: pushType,
            priority: priority,
            expiration: expiration,
            collapseID: collapseID,
            payload: payloadBytes,
            findings: findings,
            isPushTypeAssumed: pushTypeName == nil
        )
    }

    private var checkedExpiration: Int? {
        get throws(ProviderRefusal) {
            guard let expiration else { return nil }
            return try Self.rules.expiration(expiration)
        }
    }

    private var checkedPriority: Int {
        get throws(ProviderRefusal) {
            guard let priority else { return 10 }
            return try Self.rules.priority(priority, as: "\(priority)")
        }
    }

    /// Returns the log entry for an item that breaks a rule, with the fields that can be read.
    fileprivate func logSubject(in bytes: [UInt8]) -> LogSubject {
        let rules = Self.rules
        let topic = try? rules.topic(topic.string(in: bytes))
        return LogSubject(
            id: (try? rules.identifier(id?.string(in: bytes))) ?? nil,
            token: (try? rules.token(token.string(in: bytes))).flatMap(Self.loggable),
            topic: topic.flatMap(Self.loggable),
            pushType: try? rules.pushType(pushType?.string(in: bytes)),
            priority: try? checkedPriority,
            collapseID: (try? rules.collapseIdentifier(collapseID?.string(in: bytes))) ?? nil
        )
    }

    private static func loggable<Identifier: StringIdentifier>(_ identifier: Identifier) -> Identifier? {
        identifier.rawValue.utf8.count <= maximumLoggedSize ? identifier : nil
    }
}
