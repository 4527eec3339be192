internal import HashTreeCollections
internal import UniversalLinks
internal import WaypostSchema

/// The gates about the text of a message and about the app.
extension GateInquiry {
    // MARK: The link in the text

    /// What the gates about the text of a message say.
    struct TextAnswers {
        let message: Answer
        let link: Answer
        let scheme: Answer
        let key: Answer
    }

    var textAnswers: TextAnswers {
        if let candidate {
            return TextAnswers(
                message: seen(candidate),
                link: detected(candidate),
                scheme: .pass("it is \(scheme ?? "https")"),
                key: key
            )
        }
        guard let mention = device.messageStore.mention(of: inquiry.url) else {
            let scheme = scheme.map {
                isWeb($0) ? Answer.pass("it is \($0)") : .fail("\($0) is neither http nor https")
            }
            return TextAnswers(
                message: .fail("no message with this link came"),
                link: .noMessage,
                scheme: scheme ?? .fail("it has no scheme"),
                key: key
            )
        }
        let seen = Answer.pass("the message \(mention) has it in its text")
        guard let scheme else {
            return TextAnswers(
                message: seen,
                link: notDetected,
                scheme: .notReached("it has no scheme"),
                key: .notReached("it is no link")
            )
        }
        guard isWeb(scheme) else {
            return TextAnswers(
                message: seen,
                link: .pass("it has the scheme \(scheme)"),
                scheme: .fail("\(scheme) is neither http nor https"),
                key: .notReached("only links of the web have one")
            )
        }
        // What is written out and is no link all the same has a host or a port that is none.
        let link = inquiry.content == nil ? Answer.pass("it has the scheme \(scheme)") : notDetected
        return TextAnswers(message: seen, link: link, scheme: .pass("it is \(scheme)"), key: key)
    }

    /// The URL that was sent, or else the one that is asked about.
    private var url: String {
        candidate?.link.url ?? inquiry.url
    }

    private var notDetected: Answer {
        .fail("it looks like a link and is none: a link starts with http://, https:// or www., and not within a word")
    }

    private var scheme: String? {
        guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")), colon != url.startIndex else { return nil }
        let scheme = url[..<colon].lowercased()
        let isScheme = scheme.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2B }
        return isScheme ? scheme : nil
    }

    private func isWeb(_ scheme: String) -> Bool {
        scheme == "http" || scheme == "https"
    }

    private func seen(_ candidate: LinkCandidate) -> Answer {
        .pass("the message \(candidate.message) of the conversation \(candidate.stored.conversation) has it")
    }

    private func detected(_ candidate: LinkCandidate) -> Answer {
        let link = LinkDetector.links(in: candidate.stored.text).first { $0.url == candidate.link.url }
        let how = link?.rule == .www ? "by www." : "by its scheme"
        return .pass("'\(candidate.link.url)' was found \(how) at byte \(link?.utf8Offset ?? 0) of the text")
    }

    private var key: Answer {
        guard let content = inquiry.content, let sent = MessageStore.sentContent(of: url) else {
            return .fail("it cannot be read as a URL: \(urlError)")
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
            case .notWeb(let scheme): "\(scheme) is no scheme of the web"
            case .tooLong(let bytes): "it has \(bytes) bytes"
            }
        }
    }

    // MARK: The app

    var installation: Answer {
        center == nil
            ? .fail("\(inquiry.app) is not on the device") : .pass("\(inquiry.app) is on the device")
    }

    var capability: Answer {
        guard let app = center?.app else { return noApp }
        return app.hasCapability
            ? .pass("it has com.apple.developer.shared-with-you")
            : .fail("it is without com.apple.developer.shared-with-you")
    }

    private var noApp: Answer { .notReached("the app is not on the device") }
    private var noEntry: Answer { .notReached("there is no entry") }
    private var noFile: Answer { .notReached("there is no file") }

    /// What the gates about the app's association with the link's domain say.
    struct AssociationAnswers {
        let entry: Answer
        let file: Answer
        let rule: Answer
    }

    var associationAnswers: AssociationAnswers {
        guard let app = center?.app else { return AssociationAnswers(entry: noApp, file: noApp, rule: noApp) }
        guard let association = app.association else {
            let none = Answer.fail("\(inquiry.app) has no associated domains")
            return AssociationAnswers(entry: none, file: noEntry, rule: noFile)
        }
        let url = candidate?.link.content.url ?? inquiry.content?.url ?? inquiry.url
        let decision = association.decision(on: url, records: device.records)
        let noURL = Answer.notReached("it is no URL of the web")
        let entry = Answer.pass("the entry '\(decision.entry ?? "")'")
        let file = Answer.pass("the file of \(decision.file?.domain ?? "")\(age(of: decision.file))")
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

    private func age(of file: AssociationFileStatus?) -> String {
        guard let fetchedAt = file?.fetchedAt else { return "" }
        return ", fetched at \(fetchedAt.text)"
    }
}
