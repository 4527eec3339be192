internal import PushRules
internal import TextBasics
internal import WaypostSchema

/// The Live Activities on a device.
///
/// The keys and limits are those of "Starting and updating Live Activities with ActivityKit push notifications" and
/// "Displaying live data with Live Activities" (ActivityKit). An update to the token of a Live Activity concerns only
/// that one; an update to another token concerns the newest Live Activity of the app that has not ended.
struct LiveActivities: Sendable, Codable {
    /// The maximum time for which a Live Activity is active, in milliseconds.
    static let maximumActiveTime = 8 * 3_600_000

    /// The maximum time for which an ended Live Activity is shown, in milliseconds.
    static let maximumEndedTime = 4 * 3_600_000

    /// The maximum number of Live Activities of an app that have not ended, and of those that have.
    ///
    /// Apple has a limit for the first, and gives no number.
    static let maximumPerApp = 5

    /// The Live Activities that are not dismissed, the oldest first.
    private(set) var all: [LiveActivity] = []

    /// The updates that count against the budgets of apps; `nil` as long as no app with a budget had one.
    private var countedUpdates: [BundleIdentifier: CountedPushes]?

    /// The starts that count against the budgets of apps; `nil` as long as no app with a budget had one.
    private var countedStarts: [BundleIdentifier: CountedPushes]?

    /// The Live Activities whose starts asked for no token; `nil` as long as no app whose tokens depend on it had one.
    private var withoutToken: Set<NotificationID>?

    /// The channels to which Live Activities listen; `nil` as long as none did.
    private var channels: [NotificationID: String]?

    /// Applies a notification.
    ///
    /// - Parameters:
    ///   - notification: the notification.
    ///   - purpose: the purpose of its token; `nil` if that is not a token of an app.
    ///   - rules: the rules for its app.
    ///   - now: the time of the device.
    /// - Returns: the decision, and the Live Activity that changed.
    mutating func apply(
        _ notification: DeliveredNotification,
        purpose: TokenPurpose?,
        by rules: LiveActivityRules,
        at now: Timestamp
    ) -> (LiveActivityDecision, LiveActivity?) {
        let app = rules.app
        let push = LiveActivityPush(
            notification.payload["aps"],
            purpose: purpose,
            broadcastChannel: rules.channel(ofBroadcast: notification, purpose: purpose)
        )
        let runningIndex = runningIndex(for: push, of: app)
        let runningCount = all.count { $0.app == app && $0.isRunning }
        let running = runningIndex.map { all[$0] }
        var gates = push.gates(for: running, count: runningCount, by: rules, at: now)
        if let types = rules.types {
            gates = (gates + [push.decodingGate(for: running, types, at: now)]).untilFirstFailure
        }
        let usedBudget = push.budget(by: rules, priority: notification.priority)
        let counter = push.event == .start ? \Self.countedStarts : \Self.countedUpdates
        var counted = self[keyPath: counter]?[app] ?? CountedPushes()
        if let usedBudget {
            let gate = usedBudget.gate(after: counted, of: app, otherwise: "is dropped", at: now)
            gates = (gates + [gate]).untilFirstFailure
        }
        if let failure = gates.first(where: { $0.status == .fail }) {
            return (
                LiveActivityDecision(outcome: .ignored, gates: gates, explanation: failure.explanation), nil
            )
        }
        if let usedBudget {
            counted.record(within: usedBudget, at: now)
            self[keyPath: counter] = (self[keyPath: counter] ?? [:]).merging([app: counted]) { $1 }
        }
        let (outcome, activity) = apply(push, to: runningIndex, notification.id, app: app, at: now)
        let token = outcome == .started ? push.token(by: rules) : nil
        if token?.isPossible == false { recordWithoutToken(notification.id) }
        if outcome == .started, let channel = push.channel?.string { record(channel, of: notification.id) }
        let sentences = ["the Live Activity of \(app) \(Self.verb(for: outcome))", token?.note].compactMap(\.self)
        return (
            LiveActivityDecision(
                outcome: outcome,
                activity: activity?.id,
                gates: gates,
                explanation: sentences.joined(separator: "; ")
            ),
            activity
        )
    }

    /// Returns the place of the newest Live Activity that a push can change; `nil` if there is none.
    private func runningIndex(for push: LiveActivityPush, of app: BundleIdentifier) -> Int? {
        all.lastIndex { activity in
            guard activity.app == app, activity.isRunning else { return false }
            if let channel = push.broadcastChannel { return channels?[activity.id] == channel }
            return push.purpose?.kind != .liveActivity || activity.purpose == push.purpose
        }
    }

    /// Records the channel of a new Live Activity, and forgets those of the ones that are not there any more.
    private mutating func record(_ channel: String, of id: NotificationID) {
        let ids = Set(all.map(\.id))
        channels = (channels ?? [:]).filter { ids.contains($0.key) }.merging([id: channel]) { $1 }
    }

    /// Records that a Live Activity has no token, and forgets those that are not there any more.
    private mutating func recordWithoutToken(_ id: NotificationID) {
        withoutToken = (withoutToken ?? []).intersection(all.map(\.id)).union([id])
    }

    /// Returns whether a Live Activity can have a token of its own.
    func canHaveToken(_ id: NotificationID) -> Bool {
        withoutToken?.contains(id) != true
    }

    private static func verb(for outcome: LiveActivityDecision.Outcome) -> String {
        switch outcome {
        case .started: "starts"
        case .updated: "has new content"
        case .ended: "ends"
        case .ignored: "does not change"
        }
    }

    private mutating func apply(
        _ push: LiveActivityPush,
        to runningIndex: Int?,
        _ id: NotificationID,
        app: BundleIdentifier,
        at now: Timestamp
    ) -> (LiveActivityDecision.Outcome, LiveActivity?) {
        guard let event = push.event, let timestamp = push.timestamp else { return (.ignored, nil) }
        if event == .start {
            let activity = LiveActivity(
                id: id,
                app: app,
                attributesType: push.attributesType ?? "",
                attributes: push.attributes ?? .object([:]),
                contentState: push.contentState ?? .object([:]),
                timestamp: timestamp,
                staleDate: push.staleDate,
                endsAt: now.advanced(by: Self.maximumActiveTime)
            )
            all.append(activity)
            return (.started, activity)
        }
        guard let runningIndex else { return (.ignored, nil) }
        if let contentState = push.contentState { all[runningIndex].contentState = contentState }
        // An end may be older.
        all[runningIndex].timestamp = max(timestamp, all[runningIndex].timestamp)
        all[runningIndex].state = .active
        all[runningIndex].staleDate = push.staleDate
        guard event == .end else { return (.updated, all[runningIndex]) }
        end(runningIndex, at: now, dismissalDate: push.dismissalDate)
        return (.ended, all[runningIndex])
    }

    private mutating func end(_ index: Int, at now: Timestamp, dismissalDate: Timestamp?) {
        all[index].state = .ended
        all[index].staleDate = nil
        let latestDismissalDate = now.advanced(by: Self.maximumEndedTime)
        let endedIndices = all.indices.filter { all[$0].app == all[index].app && all[$0].state == .ended }
        // The oldest ones beyond the maximum disappear at once.
        for oldIndex in endedIndices.dropLast(Self.maximumPerApp) { all[oldIndex].dismissalDate = now }
        all[index].dismissalDate = min(dismissalDate ?? latestDismissalDate, latestDismissalDate)
    }

    /// Applies the passing of time.
    ///
    /// - Returns: the Live Activities that changed.
    mutating func advance(to now: Timestamp) -> [LiveActivity] {
        guard let nextDeadline, nextDeadline <= now else { return [] }
        var changedActivities: [LiveActivity] = []
        for index in all.indices {
            let previousState = all[index].state
            if all[index].state != .ended, all[index].endsAt <= now {
                end(index, at: all[index].endsAt, dismissalDate: nil)
            } else if all[index].state == .active, let staleDate = all[index].staleDate, staleDate <= now {
                all[index].state = .stale
            }
            if let dismissalDate = all[index].dismissalDate, dismissalDate <= now { all[index].state = .dismissed }
            if all[index].state != previousState { changedActivities.append(all[index]) }
        }
        all.removeAll { $0.state == .dismissed }
        return changedActivities
    }

    /// The next time at which something changes.
    var nextDeadline: Timestamp? {
        all.compactMap { activity in
            let staleDate = activity.state == .active ? activity.staleDate : nil
            return [activity.dismissalDate ?? activity.endsAt, staleDate].compactMap(\.self).min()
        }.min()
    }

    /// Removes a Live Activity, as the user does; returns it, or `nil` if it is not there.
    mutating func dismiss(_ id: NotificationID) -> LiveActivity? {
        guard let index = all.firstIndex(where: { $0.id == id }) else { return nil }
        var activity = all.remove(at: index)
        activity.state = .dismissed
        return activity
    }

    /// Removes the Live Activities of a removed app.
    mutating func removeAll(of app: BundleIdentifier) {
        let removedIDs = all.filter { $0.app == app }.map(\.id)
        all.removeAll { $0.app == app }
        countedUpdates?[app] = nil
        countedStarts?[app] = nil
        withoutToken?.subtract(removedIDs)
        for id in removedIDs { channels?[id] = nil }
    }
}

extension LiveActivity {
    /// The purpose of its token.
    var purpose: TokenPurpose {
        TokenPurpose(.liveActivity, of: app, name: id.rawValue)
    }

    /// Whether it receives updates.
    var isRunning: Bool {
        state == .active || state == .stale
    }
}

/// The keys of a payload for a Live Activity, and the token or the channel to which it was sent.
private struct LiveActivityPush {
    enum Event: String {
        case start
        case update
        case end
    }

    let eventName: String?
    let contentState: JSONValue?
    let attributesType: String?
    let attributes: JSONValue?
    let timestamp: Int?
    let staleDate: Timestamp?
    let dismissalDate: Timestamp?
    let channel: JSONValue?
    let requestsToken: Bool
    let purpose: TokenPurpose?

    /// The channel to which it was sent; `nil` for a token.
    let broadcastChannel: String?

    init(_ aps: JSONValue?, purpose: TokenPurpose?, broadcastChannel: String?) {
        (self.purpose, self.broadcastChannel) = (purpose, broadcastChannel)
        eventName = aps?["event"]?.string
        contentState = aps?["content-state"]
        attributesType = aps?["attributes-type"]?.string
        attributes = aps?["attributes"]
        timestamp = aps?["timestamp"]?.wholeNumber
        channel = aps?["input-push-channel"]
        requestsToken = aps?["input-push-token"]?.wholeNumber == 1
        func date(_ key: String) -> Timestamp? {
            guard let seconds = aps?[key]?.wholeNumber, (0...Self.latestSeconds).contains(seconds) else { return nil }
            return Timestamp(milliseconds: seconds * 1_000)
        }
        (staleDate, dismissalDate) = (date("stale-date"), date("dismissal-date"))
    }

    /// The latest valid time, in seconds since 1970.
    private static let latestSeconds = Timestamp.endOfYear9999.rawValue / 1_000

    var event: Event? {
        eventName.flatMap(Event.init)
    }

    /// Returns the budget against which the push counts; `nil` for none.
    func budget(by rules: LiveActivityRules, priority: Int) -> BudgetRule? {
        switch event {
        case .start: rules.startBudget
        // Only an update with priority 10 counts.
        case .update where priority == 10: rules.updateBudget
        default: nil
        }
    }

    /// Returns the token of the Live Activity that the push starts.
    func token(by rules: LiveActivityRules) -> LiveActivityRules.Token? {
        rules.token(isRequested: requestsToken, channel: channel?.string)
    }

    /// Returns the verdict of every gate, for the Live Activity that would change.
    func gates(
        for running: LiveActivity?,
        count: Int,
        by rules: LiveActivityRules,
        at now: Timestamp
    ) -> [NotificationVerdict] {
        let system = event == .start ? rules.systemGate(hasChannel: channel != nil) : []
        let address = broadcastGate(for: running).map { [$0] } ?? tokenGate(by: rules)
        let preconditions = system + address + (event == .start ? rules.authorizationGate : [])
        let state = [activityGate(running, count, app: rules.app), timestampGate(running, at: now)]
        return ([eventGate(by: rules)] + preconditions + state).untilFirstFailure
    }

    /// Returns the gate of a broadcast, which needs no token; `nil` for another push.
    private func broadcastGate(for running: LiveActivity?) -> NotificationVerdict? {
        guard let broadcastChannel else { return nil }
        let subject = "this is a broadcast of the channel \(broadcastChannel.safe(for: .excerpt))"
        guard event != .start else {
            let reason = "\(subject), which starts nothing; a start goes to the push-to-start token"
            return NotificationVerdict(.token, passes: false, explanation: "\(reason) (\(Self.startSource))")
        }
        guard let running else {
            let reason = "no Live Activity that has not ended listens to it: \"input-push-channel\" of its start"
            return NotificationVerdict(.token, passes: false, explanation: "\(subject), and \(reason)")
        }
        return NotificationVerdict(
            .token,
            passes: true,
            explanation: "\(subject), to which the Live Activity \(running.id) listens; it needs no token"
        )
    }

    private static let startSource = Evidence.documented("Displaying live data with Live Activities")

    /// Returns the gate of a token that is only for starts or only for updates, or that the app's server cannot have;
    /// none for another token.
    private func tokenGate(by rules: LiveActivityRules) -> [NotificationVerdict] {
        let isStart = event == .start
        if isStart, let reason = rules.missingStartToken {
            return [NotificationVerdict(.token, passes: false, explanation: reason)]
        }
        let (passes, explanation): (Bool, String)
        switch purpose?.kind {
        case .pushToStart:
            passes = isStart
            explanation =
                "the token is for starts" + (isStart ? "" : "; this event goes to the token of its Live Activity")
        case .liveActivity:
            passes = !isStart
            explanation =
                "the token is for the Live Activity \(purpose?.name ?? "")"
                + (isStart ? "; a start goes to the push-to-start token" : "")
        default: return []
        }
        return [NotificationVerdict(.token, passes: passes, explanation: explanation)]
    }

    /// Returns the verdict about the types of the content, for the Live Activity that would change.
    func decodingGate(
        for running: LiveActivity?,
        _ types: [String: LiveActivityType],
        at now: Timestamp
    ) -> NotificationVerdict {
        let isStart = event == .start
        guard let name = isStart ? attributesType : running?.attributesType else { return .notReached(.decoding) }
        return .decoding(
            attributes: isStart ? attributes : nil,
            contentState: contentState,
            as: name,
            of: types,
            at: now
        )
    }

    private func eventGate(by rules: LiveActivityRules) -> NotificationVerdict {
        guard let event else {
            let name = eventName.map { "'\($0)'" } ?? "absent"
            return NotificationVerdict(
                .event,
                passes: false,
                explanation: "the event is \(name), and not start, update or end"
            )
        }
        let missingKey: String? =
            switch event {
            case .start where attributesType == nil: "attributes-type"
            case .start where attributes == nil: "attributes"
            case .start where contentState == nil, .update where contentState == nil: "content-state"
            default: nil
            }
        if let missingKey {
            return NotificationVerdict(
                .event,
                passes: false,
                explanation: "the event \(event.rawValue) needs \(missingKey)"
            )
        }
        if event == .start, let problem = rules.problem(withChannel: channel) {
            return NotificationVerdict(.event, passes: false, explanation: problem)
        }
        return NotificationVerdict(.event, passes: true, explanation: "the event is \(event.rawValue)")
    }

    private func activityGate(
        _ running: LiveActivity?,
        _ count: Int,
        app: BundleIdentifier
    ) -> NotificationVerdict {
        if event == .start {
            let isAllowed = count < LiveActivities.maximumPerApp
            let reason = isAllowed ? "the Live Activity is new" : "\(app) has \(count) Live Activities, the maximum"
            return NotificationVerdict(.activity, passes: isAllowed, explanation: reason)
        }
        guard let running else {
            let hasOwnToken = purpose?.kind == .liveActivity
            let reason = "has no Live Activity that has not ended" + (hasOwnToken ? " and has the token" : "")
            return NotificationVerdict(.activity, passes: false, explanation: "\(app) \(reason)")
        }
        return NotificationVerdict(.activity, passes: true, explanation: "\(app) has the Live Activity \(running.id)")
    }

    private func timestampGate(_ running: LiveActivity?, at now: Timestamp) -> NotificationVerdict {
        guard let timestamp else {
            return NotificationVerdict(
                .timestamp,
                passes: false,
                explanation: "the payload has no timestamp in whole seconds"
            )
        }
        let comparedTimestamp = LiveActivityTimestamp(timestamp, at: now)
        guard !comparedTimestamp.isTooFarAhead else {
            return NotificationVerdict(.timestamp, passes: false, explanation: comparedTimestamp.excess)
        }
        guard event != .start, let lastTimestamp = running?.timestamp else {
            return NotificationVerdict(.timestamp, passes: true, explanation: "the timestamp is the first one")
        }
        let isOlder = timestamp < lastTimestamp
        let comparison = isOlder ? "older than" : "not older than"
        let consequence = isOlder && event == .end ? ", but an end is applied nevertheless" : ""
        return NotificationVerdict(
            .timestamp,
            passes: !isOlder || event == .end,
            explanation: "the timestamp \(timestamp) is \(comparison) the last one, \(lastTimestamp)\(consequence)"
        )
    }
}

extension BudgetRule {
    /// Returns the budget of an app for the updates of its Live Activities with priority 10; `nil` for none.
    ///
    /// A device throttles updates above the budget ("Starting and updating Live Activities with ActivityKit push
    /// notifications"); that they are dropped is a rule of Waypost.
    static func liveActivity(of app: AppDescription) -> Self? {
        let subject = "updates with priority 10"
        if let budget = app.budgets?.liveActivity { return Self(budget, named: "liveActivity", for: subject) }
        guard let hasFrequentUpdates = app.supportsFrequentLiveActivityUpdates else { return nil }
        let isAllowed = app.liveActivities?.allowsFrequentUpdates != false
        let rule = PushTypeContract.liveActivityBudget(hasFrequentUpdates: hasFrequentUpdates && isAllowed)
        let condition =
            hasFrequentUpdates && !isAllowed
            ? "the user does not allow frequent updates (liveActivities.allowsFrequentUpdates is false)"
            : "supportsFrequentLiveActivityUpdates is \(hasFrequentUpdates)"
                + (hasFrequentUpdates ? "; the period is a rule of Waypost" : "")
        return Self(rule.value, rule.evidence, because: condition, for: subject)
    }

    /// Returns the budget for starts by pushes of an app; `nil` if the app does not describe this.
    static func liveActivityStart(of app: AppDescription) -> Self? {
        let subject = "starts by pushes"
        if let budget = app.budgets?.liveActivityStart { return Self(budget, named: "liveActivityStart", for: subject) }
        guard app.liveActivities != nil else { return nil }
        let rule = PushTypeContract.liveActivityStartBudget
        let condition = "the app has liveActivities; frequent updates do not raise it; the period is a rule of Waypost"
        return Self(rule.value, rule.evidence, because: condition, for: subject)
    }
}
