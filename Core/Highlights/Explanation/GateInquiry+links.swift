internal import HashTreeCollections
internal import UniversalLinks
internal import WaypostSchema

/// The gates that check the text of a message and the app.
extension GateInquiry {
    // MARK: Link in the text

    /// The answers of the gates that check the text of a message.
    struct TextAnswers {
        let message: Answer
        let link: Answer
        let scheme: Answer
        let key: Answer
    }

    var textAnswers: TextAnswers {
        if let candidate {
            return TextAnswers(
                message: messageAnswer(for: candidate),
                link: linkAnswer(for: candidate),
                scheme: .pass("the scheme is \(scheme ?? "https")"),
                key: key
            )
        }
        guard let message = sharing.messageStore.latestMessage(mentioning: inquiry.url) else {
            let scheme = scheme.map {
                isWeb($0) ? Answer.pass("the scheme is \($0)") : .fail("the scheme \($0) is neither http nor https")
            }
            return TextAnswers(
                message: .fail("no message contains this link"),
                link: .noMessage,
                scheme: scheme ?? .fail("the URL has no scheme"),
                key: key
            )
        }
        let messageAnswer = Answer.pass("the message \(message) contains it")
        guard let scheme else {
            return TextAnswers(
                message: messageAnswer,
                link: notALink(in: message),
                scheme: .notReached("the URL has no scheme"),
                key: .notReached("it is not a link")
            )
        }
        guard isWeb(scheme) else {
            return TextAnswers(
                message: messageAnswer,
                link: .pass("it has the scheme \(scheme)"),
                scheme: .fail("the scheme \(scheme) is neither http nor https"),
                key: .notReached("only http and https links have a content key")
            )
        }
        return TextAnswers(
            message: messageAnswer,
            link: notALink(in: message),
            scheme: .pass("the scheme is \(scheme)"),
            key: key
        )
    }

    /// The URL as it was sent, or the URL of the inquiry if no message contains it.
    private var url: String {
        candidate?.link.url ?? inquiry.url
    }

    /// Returns the answer for a message whose text has the URL, but not as a link.
    private func notALink(in message: MessageID) -> Answer {
        let text = sharing.messageStore.messages[message]?.text ?? ""
        return .fail("it looks like a link but is not one: \(LinkDetector.reason(against: inquiry.url, in: text))")
    }

    private var scheme: String? {
        guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")), colon != url.startIndex else { return nil }
        let scheme = url[..<colon].lowercased()
        let isValid = scheme.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2B }
        return isValid ? scheme : nil
    }

    private func isWeb(_ scheme: String) -> Bool {
        scheme == "http" || scheme == "https"
    }

    private func messageAnswer(for candidate: LinkCandidate) -> Answer {
        .pass("the message \(candidate.messageID) in the conversation \(candidate.message.conversation) contains it")
    }

    private func linkAnswer(for candidate: LinkCandidate) -> Answer {
        let link = LinkDetector.links(in: candidate.message.text).first { $0.url == candidate.link.url }
        let how = link?.rule == .www ? "by its www. prefix" : "by its scheme"
        let place = link.map { " (\($0.place) of the text)" } ?? ""
        return .pass("'\(candidate.link.url)' was found \(how)\(place)")
    }

    private var key: Answer {
        guard let content = inquiry.content, let sent = MessageStore.sentContent(of: url) else {
            return .fail("it cannot be parsed as a URL: \(urlError)")
        }
        let rewrites = (try? LinkURL(url)).map { CanonicalLink($0).rewrites.map(\.description) } ?? []
        let resolution = sent.key == content.key ? [] : ["resolved to \(content.url)"]
        let steps = rewrites + resolution
        return .pass(steps.isEmpty ? "\(content.key)" : "\(content.key): \(steps.joined(separator: ", "))")
    }

    private var urlError: String {
        do throws(LinkURLError) {
            _ = try LinkURL(url)
            return "it has no key"
        } catch {
            return switch error {
            case .notAURL(let reason): reason
            case .notWeb(let scheme): "the scheme \(scheme) is neither http nor https"
            case .tooLong(let bytes): "it is too long, with \(bytes) bytes"
            }
        }
    }

    // MARK: The app

    var installationAnswer: Answer {
        center == nil
            ? .fail("\(inquiry.app) is not on the device") : .pass("\(inquiry.app) is on the device")
    }

    var capabilityAnswer: Answer {
        guard let app = center?.app else { return noApp }
        return app.hasCapability
            ? .pass("the app has the entitlement com.apple.developer.shared-with-you")
            : .fail("the app lacks the entitlement com.apple.developer.shared-with-you")
    }

    private var noApp: Answer { .notReached("the app is not on the device") }
    private var noEntry: Answer { .notReached("no associated-domains entry applies") }
    private var noFile: Answer { .notReached("there is no association file") }

    /// The answers of the gates that check the app's association with the link's domain.
    struct AssociationAnswers {
        let entry: Answer
        let file: Answer
        let rule: Answer
    }

    var associationAnswers: AssociationAnswers {
        guard let app = center?.app else { return AssociationAnswers(entry: noApp, file: noApp, rule: noApp) }
        guard let association = app.association else {
            let noDomains = Answer.fail("\(inquiry.app) has no associated domains")
            return AssociationAnswers(entry: noDomains, file: noEntry, rule: noFile)
        }
        let url = candidate?.link.content.url ?? inquiry.content?.url ?? inquiry.url
        let decision = association.decision(on: url, records: sharing.records)
        let noURL = Answer.notReached("it is not a usable http or https URL")
        let entry = Answer.pass("the entry '\(decision.entry ?? "")'")
        let file = Answer.pass(decision.file?.text(at: nil) ?? "")
        return switch decision.reason {
        case .notAURL, .notWeb, .urlTooLong:
            AssociationAnswers(entry: noURL, file: noURL, rule: noURL)
        case .noEntry, .otherService, .wildcardBase, .unusableEntry, .modeNotActive:
            AssociationAnswers(entry: .fail(decision.explanation), file: noEntry, rule: noFile)
        case .fileNotFetched, .fileUnavailable:
            AssociationAnswers(entry: entry, file: .fail(decision.explanation), rule: noFile)
        case .matched: AssociationAnswers(entry: entry, file: file, rule: .pass(decision.explanation))
        case .excluded, .noRuleMatched, .appNotInFile, .noAppLinks, .tooMuchWork, .otherDomain:
            AssociationAnswers(entry: entry, file: file, rule: .fail(decision.explanation))
        }
    }
}
