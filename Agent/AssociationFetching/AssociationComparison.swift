internal import TextBasics
internal import UniversalLinks
package import WaypostSchema

/// A comparison of the answers that devices, Apple's fetcher and clients of the CDN get for an association file.
///
/// Apple's fetcher copies the file from the domain's server to the CDN, and devices get the copy. A device asks the
/// server itself only for apps with `?mode=developer` or `?mode=managed`.
package struct AssociationComparison: Sendable {
    /// The answer of the domain's server to a device.
    let answerToDevice: AssociationServerAnswer

    /// The answer of the domain's server to Apple's fetcher.
    let answerToApple: AssociationServerAnswer

    /// The answer of the CDN; `nil` if it was not asked.
    let answerOfCDN: AssociationServerAnswer?

    private static let fetcherName = "Apple's fetcher (user agent \(AssociationUserAgent.appleFetcher.rawValue))"

    /// The findings about the answers, and then those about the file that a device gets from the server.
    package var findings: [AssociationFinding] {
        findings(for: nil)
    }

    /// Returns the findings, with an error if the file that a device gets from the server does not name `app`.
    package func findings(for app: ApplicationIdentifier?) -> [AssociationFinding] {
        [originFinding, fetcherFinding, cdnFinding].compactMap(\.self) + copyFindings(for: app) + fileFindings(for: app)
    }

    /// The findings that other answers than the one to a device do not name the app, although that one does.
    private func copyFindings(for app: ApplicationIdentifier?) -> [AssociationFinding] {
        guard let app, case .success(let file) = answerToDevice.usableFile, file.names(app) else { return [] }
        return [answerToApple, answerOfCDN].compactMap(\.self).compactMap { answer in
            guard case .success(let copy) = answer.usableFile, !copy.names(app) else { return nil }
            let who = answer.source == answerToApple.source ? "the file for \(Self.fetcherName)" : "the file of the CDN"
            return .ofServer(
                .error,
                .appNotInFile,
                "\(answer.source): \(who), which devices get, has no entry for \(app)"
            )
        }
    }

    /// The findings about the file that a device gets from the server; none if it gets no file.
    private func fileFindings(for app: ApplicationIdentifier?) -> [AssociationFinding] {
        guard case .success(let file) = answerToDevice.outcome, !file.isWebPage else { return [] }
        return [file.contentTypeFinding].compactMap(\.self) + AssociationCheck.findings(in: file.bytes, for: app)
    }
}

// MARK: - The server

extension AssociationComparison {
    /// The finding that a device gets no file from the server.
    private var originFinding: AssociationFinding? {
        let source = answerToDevice.source
        switch answerToDevice.outcome {
        case .success(let file):
            guard file.isWebPage else { return nil }
            let message = "\(source): \(AssociationFailure.webPage.message); \(clientsWithoutFile)"
            return .ofServer(.error, .webPage, message, instead: "the JSON file alone, without a login")
        case .failure(let failure):
            return .ofServer(.error, .originFailed, "\(source): \(failure.text); \(clientsWithoutFile)")
        }
    }

    /// The clause that says which clients get no file, if a device gets none from the server.
    private var clientsWithoutFile: String {
        switch answerToApple.usableFile {
        case .success: "\(Self.fetcherName) gets a file, so only apps with ?mode=developer get none"
        case .failure: "neither a device nor Apple's fetcher gets a file"
        }
    }

    /// The finding that Apple's fetcher does not get the file that a device gets.
    private var fetcherFinding: AssociationFinding? {
        guard case .success(let file) = answerToDevice.usableFile else { return nil }
        let source = answerToApple.source
        switch answerToApple.usableFile {
        case .success(let other):
            guard !file.hasSameContents(as: other) else { return nil }
            let message = """
                \(source): the server gives \(Self.fetcherName) another file than a device; devices get that one \
                from Apple's CDN
                """
            return .ofServer(.warning, .fetcherDiffers, message, instead: "the same file for every client")
        case .failure(let failure):
            let message = """
                \(source): a device gets the file, but \(Self.fetcherName) does not: \(failure.text); Apple's CDN gets \
                no file, so devices get none, or a copy until it expires; only a development-signed app with \
                ?mode=developer gets it
                """
            return .ofServer(.error, .fetcherRefused, message, instead: "the same answer for every user agent")
        }
    }
}

// MARK: - The CDN

extension AssociationComparison {
    /// The finding that devices do not get the file of the server from the CDN.
    private var cdnFinding: AssociationFinding? {
        guard let answerOfCDN else { return nil }
        let source = answerOfCDN.source
        switch answerOfCDN.usableFile {
        case .success(let copy):
            guard let clause = difference(from: copy) else { return nil }
            let message = """
                \(source): \(clause)\(Self.age(of: copy)); devices get the file of the CDN; Apple fetches a file \
                again within 24 hours, not on request, and a device about once a week or when an app is installed
                """
            return .ofServer(.warning, .cdnDiffers, message)
        case .failure(let failure):
            return .ofServer(.error, .cdnFailed, "\(source): \(failure.text); \(Self.effect(ofFailedCDN: failure))")
        }
    }

    /// Returns how the copy of the CDN differs from the file of the server, or `nil` if it does not.
    private func difference(from copy: FetchedAssociation) -> String? {
        guard let file = originFile else { return "the CDN has a file, although the server has none that can be used" }
        guard !file.hasSameContents(as: copy) else { return nil }
        return "the CDN has another file than the server, probably an earlier one"
    }

    /// The file of the server: the one for a device, or else the one for Apple's fetcher.
    private var originFile: FetchedAssociation? {
        [answerToDevice, answerToApple].compactMap { try? $0.usableFile.get() }.first
    }

    /// Returns the age of a copy as the CDN says it, in parentheses after a space; empty if the CDN does not say it.
    private static func age(of copy: FetchedAssociation) -> String {
        let parts = [
            copy.age.map { "\($0.safe(for: .excerpt)) seconds old" },
            copy.lastModified.map { "last modified \($0.safe(for: .excerpt))" },
        ]
        .compactMap(\.self)
        return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    }

    private static func effect(ofFailedCDN failure: AssociationFailure) -> String {
        // Without an answer, the CDN may still work for others.
        switch failure.code {
        case .unreachable, .timedOut, .untrusted: "it is not known which file devices get"
        case .redirected, .badStatus, .tooLarge, .signed, .notJSON, .unreadable:
            "devices get no file; only a development-signed app with ?mode=developer gets the one of the server"
        }
    }
}

extension FetchedAssociation {
    /// Returns whether the file names an app.
    fileprivate func names(_ app: ApplicationIdentifier) -> Bool {
        (try? AssociationFile(bytes))?.entries.contains { $0.value.apps.contains { $0.value == app } } ?? false
    }
}

extension AssociationFailure {
    /// The message and the code.
    fileprivate var text: String {
        "\(message) (\(code.rawValue))"
    }
}

extension FetchedAssociation {
    fileprivate func hasSameContents(as other: Self) -> Bool {
        bytes == other.bytes || AssociationFile.haveSameContents(bytes, other.bytes)
    }
}
