internal import Consent
internal import HashTreeCollections
internal import UniversalLinks
internal import WaypostSchema

/// The answer of each gate for one message with a link, or for a link that no message contains.
///
/// Every gate that can be evaluated is evaluated, even after one that failed. A developer who fixes the first error
/// sees the second one in the same output.
struct GateInquiry {
    let inquiry: LinkInquiry
    let candidate: LinkCandidate?

    init(_ inquiry: LinkInquiry, _ candidate: LinkCandidate?) {
        self.inquiry = inquiry
        self.candidate = candidate
    }

    var sharing: SharedWithYou { inquiry.sharing }
    var center: HighlightCenter? { sharing.centers[inquiry.app] }

    var verdicts: [GateVerdict] {
        let (text, association, choices) = (textAnswers, associationAnswers, consentVerdicts)
        return SurfacingGate.allCases.map { gate in
            let answer =
                switch gate {
                case .messageSeen: text.message
                case .linkDetected: text.link
                case .webScheme: text.scheme
                case .contentKey: text.key
                case .notFromMe: senderAnswer
                case .contact: contactAnswer
                case .appInstalled: installationAnswer
                case .capability: capabilityAnswer
                case .associatedDomain: association.entry
                case .associationFile: association.file
                case .associationRule: association.rule
                case .sharingEverywhere: consent(choices?.everywhere)
                case .sharingWithApp: consent(choices?.app)
                case .sharingFromConversation: conversationConsent(choices?.conversation)
                case .permission: consent(choices?.permission)
                case .notRemoved: consent(choices?.removal)
                case .notSuperseded: latestShareAnswer
                case .merged: answerIfListed(mergeAnswer)
                case .curation: answerIfListed(curationAnswer)
                case .ranked: answerIfListed(rankAnswer)
                case .delivered: answerIfListed(deliveryAnswer)
                }
            return GateVerdict(
                gate: gate,
                status: answer.status,
                explanation: answer.explanation,
                rule: answer.consent?.rule,
                record: answer.consent?.record
            )
        }
    }

    /// The answer of one gate.
    struct Answer {
        let status: GateVerdict.Status
        let explanation: String
        var consent: ConsentVerdict?

        static func pass(_ explanation: String) -> Self { Self(status: .pass, explanation: explanation) }
        static func fail(_ explanation: String) -> Self { Self(status: .fail, explanation: explanation) }
        static func notReached(_ explanation: String) -> Self { Self(status: .notReached, explanation: explanation) }
        static var noMessage: Self { .notReached("no message contains the link") }
    }

    // MARK: Sender

    private var senderAnswer: Answer {
        guard let candidate else { return .noMessage }
        guard let sender = candidate.message.sender else { return .fail("the user sent it") }
        guard !sharing.messageStore.isOwn(candidate.message) else {
            return .fail("the user sent it, from \(sender), which is a handle of this device")
        }
        return .pass("\(sender) sent it")
    }

    private var contactAnswer: Answer {
        guard let candidate else { return .noMessage }
        let conversation = sharing.messageStore.conversations[candidate.message.conversation]
        let people = conversation.map(sharing.messageStore.otherParticipants) ?? []
        if let handle = conversation?.contact, let contact = sharing.messageStore.contacts.contact(for: handle) {
            return .pass(
                people.count == 1
                    ? "\(handle.text) is the contact \(contact)"
                    : "of \(people.count) participants, \(handle.text) is the contact \(contact)"
            )
        }
        return answerWithoutContact(candidate, among: people, conversation)
    }

    /// The answer for a conversation in which nobody is a contact.
    private func answerWithoutContact(
        _ candidate: LinkCandidate,
        among people: [CanonicalHandle],
        _ conversation: StoredConversation?
    ) -> Answer {
        let ownHandles = conversation?.participants.filter(sharing.messageStore.ownHandles.contains).map(\.text) ?? []
        let note = ownHandles.isEmpty ? "" : "; not counting the user: \(ownHandles.joined(separator: ", "))"
        let reason =
            switch people.count {
            case 0: "nobody else is in the conversation\(note)"
            case 1: "\(people[0].text) is not a contact\(note)"
            default: "none of the \(people.count) participants is a contact\(note)"
            }
        guard sharing.isPinned(candidate.link.content.key, in: candidate.message.conversation) else {
            return .fail(reason)
        }
        return sharing.consent.rules.pinnedNeedsNoContact
            ? .pass("\(reason), but the link is pinned there, which is enough on this device (pinnedNeedsNoContact)")
            : .fail("\(reason); a pin does not replace a contact")
    }

    // MARK: The user's choices

    /// The verdicts of the user's choices; `nil` if the URL has no content key.
    private var consentVerdicts: ConsentVerdicts? {
        guard let content = inquiry.content else { return nil }
        let conversation = candidate?.message.conversation ?? ""
        return sharing.consent.verdicts(
            on: ConsentQuestion(
                key: content.key,
                app: inquiry.app,
                conversation: conversation,
                eventNumber: candidate?.link.eventNumber
            )
        )
    }

    private func consent(_ verdict: ConsentVerdict?) -> Answer {
        guard let verdict else { return .notReached("it has no content key, so no choice applies to it") }
        return Answer(status: verdict.isAllowed ? .pass : .fail, explanation: verdict.explanation, consent: verdict)
    }

    private func conversationConsent(_ verdict: ConsentVerdict?) -> Answer {
        candidate == nil && verdict != nil ? .noMessage : consent(verdict)
    }

    // MARK: Place in the list

    private var latestShareAnswer: Answer {
        guard let candidate, let record = sharing.messageStore.links[candidate.link.content.key] else {
            return .noMessage
        }
        let group = record.conversations.first { $0.conversation == candidate.message.conversation }
        guard let latestMessage = group?.shares.last?.message, !sharing.messageStore.isOwn(candidate.message) else {
            return .notReached("only messages from others are compared")
        }
        guard latestMessage == candidate.messageID else {
            return .fail("a later message in the conversation contains it too: \(latestMessage)")
        }
        return .pass("it is the latest message with the link in its conversation")
    }

    /// The item of the app's list that shows the message.
    private struct Listing {
        let item: ShelfItem
        let candidate: LinkCandidate
        let center: HighlightCenter
    }

    /// Returns the result of `answer` for the list item that shows the message.
    private func answerIfListed(_ answer: (Listing) -> Answer) -> Answer {
        guard let candidate else { return .noMessage }
        guard let center, let item = inquiry.item, item.messages.contains(candidate.messageID) else {
            return .notReached("it is not in the app's list")
        }
        return answer(Listing(item: item, candidate: candidate, center: center))
    }

    private func mergeAnswer(_ listing: Listing) -> Answer {
        let item = listing.item
        guard item.messages.count > 1 else { return .pass("it was shared in one conversation") }
        let conversations = item.messages.compactMap { sharing.messageStore.messages[$0]?.conversation.rawValue }
        return .pass("one item for the conversations \(conversations.joined(separator: ", "))")
    }

    private func curationAnswer(_ listing: Listing) -> Answer {
        let item = listing.item
        let end = item.eligibleUntil?.text
        switch item.firstPlaceGap(at: sharing.clock) {
        case .tooRecent:
            let minutes = sharing.ranking.minimumAge / 60_000
            return .fail(
                "not eligible for the first place before \(item.eligibleFrom.text): less than \(minutes) minutes old"
            )
        case .stale:
            let days = sharing.ranking.maximumAge / 86_400_000
            let place = sharing.isStaleBehindShowMore ? "the upper part, but after Show More," : "the first place"
            return .fail("not in \(place) since \(end ?? ""): at least \(days) days old and not pinned")
        case nil:
            return .pass(
                end.map { "eligible for the first place until \($0)" } ?? "it is pinned, so it is never too old"
            )
        }
    }

    private func rankAnswer(_ listing: Listing) -> Answer {
        let shelf = listing.center.shelf
        let position = shelf.position(of: listing.item.key) ?? 0
        return .pass("position \(position + 1) of \(shelf.count)")
    }

    private func deliveryAnswer(_ listing: Listing) -> Answer {
        let center = listing.center
        guard center.isLoaded, let delivery = center.deliveries[listing.item.key] else {
            let domains = center.app.uncheckedDomains(sharing.records).joined(separator: ", ")
            return .fail("no updates until these domains are asked for their association files: \(domains)")
        }
        let latency = delivery.at.rawValue - listing.candidate.sentAt.rawValue
        let when = latency >= 0 ? "\(latency) ms after it was sent" : "for an earlier message"
        return .pass("in update \(delivery.update), \(when)")
    }
}
