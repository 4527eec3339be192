internal import DeviceModel
internal import Foundation
internal import GatewayClient
internal import Highlights
internal import LocalProcesses
internal import SchemaFiles
internal import TextReports
internal import WaypostSchema

extension ScenarioRun {
    /// Checks what a step expects; waits for the state of a device or a notification.
    ///
    /// - Throws: `StepFailure` with all differences and the explanation of the decision.
    func check(_ expectation: Expectation, of step: Step, _ answer: StepAnswer) async throws {
        var findings = Findings()
        findings.compare(expectation, with: answer)
        let subject = try subject(of: expectation, step, openedApp: answer.openedContent?.app)
        let timeLimit = Duration.milliseconds(expectation.timeLimit)
        for check in stateChecks(expectation, subject) {
            var latestFindings = Findings()
            let isMet: Void? = try await ProcessWait.forValue(within: timeLimit) {
                latestFindings = try await check()
                return latestFindings.differences.isEmpty ? () : nil
            }
            if isMet == nil { findings.add(latestFindings) }
        }
        if expectation.delivered == .once {
            // Other programs may have sent something too.
            markAllAsUnsettled()
            try await settle()
            for device in expectation.device.map({ [$0] }) ?? scenario.deviceNames {
                findings.add(try await compareDelivery(to: device))
            }
        }
        if let sender = expectation.sender {
            findings.compare(sender, with: try await environment.gateway.senderReport())
        }
        if let never = expectation.never {
            let device = try never.device ?? subject.device()
            let app = never.link == nil ? nil : try app(of: device, named: never.app)
            try await forbid(never, after: step, device: device, app: app)
        }
        try findings.throwIfDifferent()
    }

    /// The device, the app and the link that an expectation is about; the closures throw if none is named.
    private struct ExpectationSubject {
        var device: () throws -> String
        var app: () throws -> BundleIdentifier

        /// The app that the expectation or the action names, or the one that opened; `nil` if there is none.
        var namedApp: BundleIdentifier?

        var link: String?
    }

    private func subject(
        of expectation: Expectation,
        _ step: Step,
        openedApp: BundleIdentifier?
    ) throws -> ExpectationSubject {
        let names = scenario.deviceNames
        // An action on several devices does not say which of them the expectation is about.
        let actionDevice = step.action?.subject.device.flatMap { names.contains($0) ? $0 : nil }
        let onlyDevice = expectation.device ?? actionDevice ?? (names.count == 1 ? names.first : nil)
        let app = expectation.app ?? step.action?.subject.app
        let device: () throws -> String = {
            guard let onlyDevice else { throw StepFailure("name the device with 'device': there are \(names.count)") }
            return onlyDevice
        }
        return ExpectationSubject(
            device: device,
            app: { try self.app(of: try device(), named: app) },
            namedApp: app ?? openedApp,
            link: expectation.link ?? step.action?.subject.link
        )
    }

    /// Returns the checks of states, which may become true only after a while.
    private func stateChecks(
        _ expectation: Expectation,
        _ subject: ExpectationSubject
    ) -> [() async throws -> Findings] {
        var checks: [() async throws -> Findings] = []
        if let shelf = expectation.shelf {
            checks.append { try await self.compareShelf(shelf, of: try subject.app(), on: try subject.device()) }
        }
        if let text = expectation.attribution {
            checks.append {
                let (app, device) = (try subject.app(), try subject.device())
                return try await self.compareAttribution(text, ofLink: subject.link, in: app, on: device)
            }
        }
        if let isOffered = expectation.offered {
            checks.append {
                try await self.compareOffer(isOffered, of: try subject.app(), on: try subject.device())
            }
        }
        if let menu = expectation.menu {
            checks.append {
                let (app, device) = (try subject.app(), try subject.device())
                return try await self.compareMenu(menu, ofLink: subject.link, in: app, on: device)
            }
        }
        if let text = expectation.message {
            checks.append { try await self.compareMessages(text, on: try subject.device()) }
        }
        if let notification = expectation.notification {
            checks.append { try await self.compareNotification(notification, on: expectation.device) }
        }
        if expectation.isAboutDecision {
            checks.append {
                try await self.compareDecision(expectation, on: expectation.device ?? (try? subject.device()))
            }
        }
        if let visible = expectation.visible {
            checks.append {
                try await self.compareVisible(visible, of: subject.namedApp, on: try subject.device())
            }
        }
        if let tokens = expectation.tokens {
            checks.append {
                try await self.compareTokens(tokens, of: subject.namedApp, on: try subject.device())
            }
        }
        if let badge = expectation.badge {
            checks.append { try await self.compareBadge(badge, of: expectation.app, on: try subject.device()) }
        }
        if let reloads = expectation.reloads {
            checks.append { try await self.compareReloads(reloads, of: expectation.app, on: try subject.device()) }
        }
        return checks
    }
}

// MARK: - States

extension ScenarioRun {
    private func compareShelf(
        _ expected: ExpectedShelf,
        of app: BundleIdentifier,
        on device: String
    ) async throws -> Findings {
        let agent = try environment.agent(of: device)
        let links = try await agent.shelf(of: app, on: device).items.map(\.highlight.url)
        var findings = Findings()
        findings.compare(expected, with: links)
        guard !findings.differences.isEmpty else { return findings }
        for link in expected.unexpectedLinks(comparedWith: links) {
            findings.explanations.append(try await agent.explain(link, in: app, on: device).text)
        }
        return findings
    }

    private func compareOffer(
        _ isOffered: Bool,
        of app: BundleIdentifier,
        on device: String
    ) async throws -> Findings {
        let agent = try environment.agent(of: device)
        let offer = try await agent.sharingSettings(of: device).offers?.first { $0.app == app }
        var findings = Findings()
        guard offer?.isOffered != isOffered else { return findings }
        let actual = offer.map { "\($0.isOffered)" }
        findings.add("offered", "\(isOffered)", actual: actual ?? "nothing", replacement: actual.map { [$0] })
        findings.explanations.append(offer?.explanation ?? "\(app) does not take part in Shared with You")
        return findings
    }

    private func compareAttribution(
        _ expected: ExpectedText,
        ofLink link: String?,
        in app: BundleIdentifier,
        on device: String
    ) async throws -> Findings {
        let agent = try environment.agent(of: device)
        var findings = Findings()
        guard let link = try await linkOrFirst(link, of: app, on: device) else {
            findings.add("attribution", expected.text, actual: "no link on the shelf of \(app)")
            for link in try await linksOfMessages(on: device) {
                findings.explanations.append(try await agent.explain(link, in: app, on: device).text)
            }
            return findings
        }
        let text: String
        do {
            text = try await agent.attribution(of: link, in: app, on: device).text.withoutIsolates
        } catch {
            text = "none: \(error)"
        }
        guard !expected.matches(text) else { return findings }
        findings.add("attribution", expected.text, actual: text, replacement: [text])
        findings.explanations.append(try await agent.explain(link, in: app, on: device).text)
        return findings
    }

    /// Returns the links in the messages of a device, the latest first.
    private func linksOfMessages(on device: String) async throws -> [String] {
        var seenLinks: Set<String> = []
        return try await environment.agent(of: device).messages(on: device, atLeast: 0).reversed()
            .flatMap { LinkDetector.links(in: $0.text).map(\.url) }
            .filter { seenLinks.insert($0).inserted }
    }

    private func compareMessages(_ expected: ExpectedText, on device: String) async throws -> Findings {
        var findings = Findings()
        let texts = try await environment.agent(of: device).messages(on: device, atLeast: 0).map(\.text)
        if !texts.contains(where: expected.matches) {
            findings.add(
                "message",
                expected.text,
                actual: texts.isEmpty ? "no message" : texts.joined(separator: " | ")
            )
        }
        return findings
    }

    private func compareNotification(_ expected: ExpectedNotification, on device: String?) async throws -> Findings {
        var findings = Findings()
        let expectedNotifications = try await notifications(matching: expected, on: device)
        if expectedNotifications.isEmpty {
            findings.add("notification", expected.state.rawValue, actual: "no notification was sent or arrived")
        }
        var records: [String: [NotificationID: NotificationRecord]] = [:]
        for device in Set(expectedNotifications.map(\.device)) {
            for record in try await loggedNotifications(of: device) {
                if let id = record.id { records[device, default: [:]][id] = record }
            }
        }
        for notification in expectedNotifications {
            guard let record = records[notification.device]?[notification.id] else {
                findings.add("notification", expected.state.rawValue, actual: "the gateway's log does not have it")
                continue
            }
            guard record.state != expected.state else { continue }
            let field = expected.title == nil ? "notification" : "notification.state"
            let actual = record.state.rawValue
            findings.add(field, expected.state.rawValue, actual: actual, replacement: [actual])
            findings.explanations.append("The gateway's log of '\(notification.title)':\n" + Self.log(of: record))
        }
        return findings
    }

    /// Returns the notifications that match an expectation: those with a title, or what was sent last.
    private func notifications(
        matching expected: ExpectedNotification,
        on device: String?
    ) async throws -> [SentNotification] {
        guard let title = expected.title else { return try await newestNotifications(on: device) }
        let matches = sentNotifications.filter { notification in
            [notification.title, notification.id.rawValue].contains(title)
                && (device == nil || notification.device == device)
        }
        guard matches.isEmpty else { return matches }
        return try await receivedNotifications(titled: title, on: device)
    }

    /// Returns the notifications that other programs sent with a title or an identifier, if a device shows them.
    private func receivedNotifications(titled title: String, on device: String?) async throws -> [SentNotification] {
        var notifications: [SentNotification] = []
        for name in device.map({ [$0] }) ?? scenario.deviceNames where environment.isRunning(name) {
            let shown = try await environment.agent(of: name).notifications(of: name).filter { $0.title == title }
            notifications += shown.map { SentNotification(id: $0.id, device: name, title: title) }
        }
        let onlyDevice = scenario.deviceNames.count == 1 ? scenario.deviceNames.first : nil
        if notifications.isEmpty, let device = device ?? onlyDevice {
            notifications = [SentNotification(id: NotificationID(rawValue: title), device: device, title: title)]
        }
        return notifications
    }

    /// Returns the log of a notification without its tokens, which differ from run to run, and without notes.
    static func log(of record: NotificationRecord) -> String {
        var record = record
        record.findings?.removeAll { $0.severity == .note }
        return NotificationDetails.text(record).split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
    }

    /// Returns the gateway's log of a notification with a title.
    func log(of title: String, on device: String) async throws -> String? {
        guard let notification = sentNotifications.last(where: { $0.title == title && $0.device == device }) else {
            let titles = sentNotifications.filter { $0.device == device }.map(\.title)
            return titles.isEmpty
                ? "No step sent anything to \(device) before."
                : "Sent to \(device): \(titles.joined(separator: ", "))"
        }
        let record = try await environment.gateway.notification(notification.id)
        return "The gateway's log of '\(title)':\n" + Self.log(of: record)
    }
}

extension ExpectedShelf {
    /// Returns the links whose absence or presence is unexpected.
    fileprivate func unexpectedLinks(comparedWith actual: [String]) -> [String] {
        switch self {
        case .whole(let links):
            return links.filter { !actual.contains($0) } + actual.filter { !links.contains($0) }
        case .part(let requiredLinks, let forbiddenLinks, let first, _):
            return requiredLinks.filter { !actual.contains($0) } + forbiddenLinks.filter(actual.contains)
                + (first.map { [$0] } ?? []).filter { $0 != actual.first }
        }
    }
}

// MARK: - Delivery and forbidden events

extension ScenarioRun {
    /// Compares what the gateway accepted for a device with what the device got.
    private func compareDelivery(to device: String) async throws -> Findings {
        try await DeliveryComparison(
            device: device,
            acceptedNotifications: acceptedNotifications(of: device),
            arrivedNotifications: arrivedNotifications(of: device),
            titles: sentTitles
        ).findings
    }

    private var sentTitles: [NotificationID: String] {
        Dictionary(sentNotifications.map { ($0.id, $0.title) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns what the gateway accepted for a device and its apps, in order.
    private func acceptedNotifications(of device: String) async throws -> [NotificationRecord] {
        try await loggedNotifications(of: device).filter { record in
            record.state != .rejected && record.topic?.rawValue.hasPrefix("waypost.") == false
        }
    }

    /// Returns the gateway's log of a device, in order.
    private func loggedNotifications(of device: String) async throws -> [NotificationRecord] {
        // The log for a token also has what was sent to an earlier one of the same device.
        var records: [Int: NotificationRecord] = [:]
        for token in try await allTokens(of: device) {
            var filter = NotificationFilter()
            filter.token = token
            for record in try await loggedNotifications(filter, maximumPageCount: .max) {
                records[record.sequence] = record
            }
        }
        return records.values.sorted { $0.sequence < $1.sequence }
    }

    /// Returns the first pages of the gateway's log that have anything, the oldest notifications first.
    func loggedNotifications(_ filter: NotificationFilter, maximumPageCount: Int) async throws -> [NotificationRecord] {
        var filter = filter
        filter.afterSequence = 0
        filter.limit = 1_000
        var records: [NotificationRecord] = []
        var pageCount = 0
        // A page may be empty although others follow.
        while filter.afterSequence != nil, pageCount < maximumPageCount {
            let page = try await environment.gateway.notifications(filter)
            records += page.notifications
            if !page.notifications.isEmpty { pageCount += 1 }
            filter.afterSequence = page.next
        }
        return records
    }

    /// Returns the notifications that arrived on a device for its apps, in order, each once.
    func arrivedNotifications(of device: String) async throws -> [DeviceNotification] {
        var model = DeviceModel()
        return try await environment.agent(of: device).wholeJournal(of: device).compactMap { entry in
            entry.arrival(with: model.apply(entry.event, at: entry.at).effects)
        }
    }

    /// Returns the failure if something happened that must not, by a replay of the device's journal.
    func violation(of event: ForbiddenEvent) async throws -> StepFailure? {
        let agent = try environment.agent(of: event.device)
        var model = DeviceModel()
        for (index, entry) in try await agent.wholeJournal(of: event.device).enumerated() {
            let effects = model.apply(entry.event, at: entry.at).effects
            guard index >= event.journalLengthAtStep else { continue }
            let time = DurationText.text(entry.at.rawValue - environment.startTime.rawValue)
            let seenNotifications =
                [entry.arrival(with: effects)].compactMap(\.self) + effects.compactMap(\.seenNotification)
            if let notification = seenNotifications.first(where: event.forbids) {
                // The failure is reported even without the log.
                let record = try? await environment.gateway.notification(notification.id)
                return StepFailure(
                    "'\(event.criteria.notification ?? "")' arrived on \(event.device), \(time) after the start",
                    [.init(field: "never.notification", expected: "it never arrives", actual: "it arrived")],
                    explanation: record.map { "The gateway's log of it:\n" + Self.log(of: $0) }
                )
            }
            if effects.contains(where: event.forbids) {
                let (link, app) = (event.criteria.link ?? "", event.app ?? BundleIdentifier(rawValue: ""))
                return StepFailure(
                    "\(link) came onto the shelf of \(app) on \(event.device), \(time) after the start",
                    [.init(field: "never.link", expected: "it never appears", actual: "it appeared")],
                    explanation: try? await agent.explain(link, in: app, on: event.device).text
                )
            }
        }
        return nil
    }
}

extension ForbiddenEvent {
    /// Returns whether a notification is the forbidden one.
    fileprivate func forbids(_ notification: DeviceNotification) -> Bool {
        criteria.notification != nil && [notification.title, notification.id.rawValue].contains(criteria.notification)
    }

    /// Returns whether an effect is the forbidden one.
    fileprivate func forbids(_ effect: DeviceEffect) -> Bool {
        switch effect {
        case .sharing(.highlightsChanged(let update)):
            return update.app == app
                && update.changes.contains { $0.change == .added && $0.highlight.url == criteria.link }
        default: return false
        }
    }
}

extension DeviceEffect {
    /// The notification that the user sees, or sees otherwise than before, because of the effect.
    fileprivate var seenNotification: DeviceNotification? {
        switch self {
        case .notification(.notificationPosted(let notification)),
            .notification(.notificationUpdated(let notification)):
            notification
        default: nil
        }
    }
}

extension JournalEntry {
    /// Returns the notification that arrived for an app with the entry; `nil` if none did, or it had arrived before.
    fileprivate func arrival(with effects: [DeviceEffect]) -> DeviceNotification? {
        guard case .notification(.notificationDelivered(let delivered)) = event,
            !delivered.topic.rawValue.hasPrefix("waypost.")
        else {
            return nil
        }
        for effect in effects {
            switch effect {
            case .notification(.repetitionIgnored(delivered.id)),
                .notification(.notificationDiscarded(delivered.id, _)):
                return nil
            case .notification(.notificationPosted(let posted)) where posted.id == delivered.id: return posted
            default: break
            }
        }
        // It waits for a service extension, or is not for the list.
        let content = NotificationContent(payload: delivered.payload)
        let title = content.title ?? content.body
        return DeviceNotification(id: delivered.id, topic: delivered.topic, title: title, receivedAt: at)
    }
}
