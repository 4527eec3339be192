internal import Consent
internal import HashTreeCollections
internal import UniversalLinks
internal import WaypostSchema

/// How each gate answers for one message with a link, or for a link that no message has.
///
/// Every gate that can be asked is asked, also behind one that failed: who mends the first fault sees the second at once.
struct GateInquiry {
    let inquiry: LinkInquiry
    let candidate: LinkCandidate?

    init(_ inquiry: LinkInquiry, _ candidate: LinkCandidate?) {
        self.inquiry = inquiry
        self.candidate = candidate
    }

    var device: SharedWithYou { inquiry.device }
    var centre: AppCentre? { device.centres[inquiry.app] }

    var verdicts: [GateVerdict] {
        let answers = textAnswers + peopleAnswers + appAnswers + consentAnswers + listAnswers
        return zip(SurfacingGate.allCases, answers).map { gate, answer in
            GateVerdict(
                gate: gate,
                status: answer.status,
                explanation: answer.explanation,
                rule: answer.consent?.rule,
                record: answer.consent?.record
            )
        }
    }

    /// What one gate says.
    struct Answer {
        let status: GateVerdict.Status
        let explanation: String
        var consent: ConsentVerdict?

        static func pass(_ explanation: String) -> Self { Self(status: .pass, explanation: explanation) }
        static func fail(_ explanation: String) -> Self { Self(status: .fail, explanation: explanation) }
        static func notReached(_ explanation: String) -> Self { Self(status: .notReached, explanation: explanation) }
    }

    // MARK: Who sent it

    private var peopleAnswers: [Answer] {
        guard let candidate else {
            return [.notReached("no message has the link"), .notReached("no message has the link")]
        }
        let conversation = device.book.conversations[candidate.stored.conversation]
        return [sender(candidate), contact(conversation)]
    }

    private func sender(_ candidate: LinkCandidate) -> Answer {
        guard let sender = candidate.stored.sender else { return .fail("the person sent it") }
        return .pass("\(sender) sent it")
    }

    private func contact(_ conversation: StoredConversation?) -> Answer {
        let people = conversation?.participants ?? []
        if let handle = conversation?.contact, let contact = device.book.contacts.contact(for: handle) {
            return .pass(
                people.count == 1 ? "\(handle.text) is \(contact)" : "of \(people.count), \(handle.text) is \(contact)"
            )
        }
        return .fail(
            people.count == 1
                ? "\(people[0].text) is not a contact" : "of \(people.count) who take part, none is a contact"
        )
    }

    // MARK: What the person chose

    private var consentAnswers: [Answer] {
        guard let content = inquiry.content else {
            return Array(repeating: .notReached("without a content key no choice is about it"), count: 5)
        }
        let conversation = candidate?.stored.conversation
        let question = ConsentQuestion(key: content.key, app: inquiry.app, conversation: conversation ?? "")
        let verdicts = device.consent.verdicts(on: question).all.map { verdict -> Answer in
            Answer(status: verdict.isAllowed ? .pass : .fail, explanation: verdict.explanation, consent: verdict)
        }
        guard conversation == nil else { return verdicts }
        return Array(verdicts[..<2]) + [.notReached("no message has the link")] + Array(verdicts[3...])
    }

    // MARK: What becomes of it in the list

    private var listAnswers: [Answer] {
        guard let candidate, let record = device.book.links[candidate.link.content.key] else {
            return Array(repeating: .notReached("no message has the link"), count: 5)
        }
        let group = record.conversations.first { $0.conversation == candidate.stored.conversation }
        return [latest(candidate, group)] + itemAnswers(candidate)
    }

    private func latest(_ candidate: LinkCandidate, _ group: ConversationShares?) -> Answer {
        guard let latest = group?.shares.last?.message, candidate.stored.sender != nil else {
            return .notReached("only messages of others are compared")
        }
        guard latest == candidate.message else {
            return .fail("the message \(latest) of the conversation has it too, later")
        }
        return .pass("it is the latest of its conversation with the link")
    }

    private func itemAnswers(_ candidate: LinkCandidate) -> [Answer] {
        guard let centre, let item = inquiry.item, item.messages.contains(candidate.message) else {
            return Array(repeating: .notReached("it is not in the list"), count: 4)
        }
        let position = centre.shelf.position(of: item.key) ?? 0
        return [
            .pass(merger(item)),
            curation(item),
            .pass("place \(position + 1) of \(centre.shelf.count)"),
            delivery(item, candidate, centre),
        ]
    }

    private func merger(_ item: ShelfItem) -> String {
        guard item.messages.count > 1 else { return "it was shared in one conversation" }
        let conversations = item.messages.compactMap { device.book.messages[$0]?.conversation.rawValue }
        return "one item for the conversations \(conversations.joined(separator: ", "))"
    }

    private func curation(_ item: ShelfItem) -> Answer {
        let end = item.closesAt?.text
        switch item.firstPlaceGap(at: device.clock) {
        case .tooRecent:
            let minutes = device.ranking.minimumAge / 60_000
            return .fail("not for the first place before \(item.opensAt.text): it is younger than \(minutes) minutes")
        case .stale:
            let days = device.ranking.maximumAge / 86_400_000
            return .fail("not for the first place since \(end ?? ""): it is older than \(days) days and not pinned")
        case nil:
            return .pass(end.map { "it can have the first place until \($0)" } ?? "it is pinned and never stale")
        }
    }

    private func delivery(_ item: ShelfItem, _ candidate: LinkCandidate, _ centre: AppCentre) -> Answer {
        guard centre.isLoaded, let delivery = centre.deliveries[item.key] else {
            let domains = centre.app.unaskedDomains(device.records).joined(separator: ", ")
            return .fail("the app is told nothing before every association file was asked for: \(domains)")
        }
        let latency = delivery.at.rawValue - candidate.sentAt.rawValue
        let when = latency >= 0 ? "\(latency) ms after it was sent" : "for an earlier message"
        return .pass("in update \(delivery.update), \(when)")
    }
}
