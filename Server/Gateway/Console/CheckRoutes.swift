internal import Hummingbird
internal import LocalService
internal import PushRules
internal import UniversalLinks
internal import WaypostSchema

/// `/v1/payloads/check` and `/v1/associations/match`: what APNs and devices would make of a payload or a file.
///
/// A small request may cause a lot of work and a large answer, so both have limits, and the work ends with its client.
struct CheckRoutes {
    /// The paths, on which `POST` changes nothing.
    static let paths: Set<String> = ["/v1/payloads/check", "/v1/associations/match"]

    /// The maximum number of findings in an answer.
    static let maximumFindings = 1_000

    /// The limits of the decisions about URLs.
    static let limits = DecisionLimits()

    func add(to router: Router<ServiceContext>) {
        router.post("v1/payloads/check") { request, context in
            let pushType = PushType(rawValue: String(request.uri.queryParameters["pushType"] ?? "alert"))
            guard PushType.documented.contains(pushType) else {
                let names = PushType.documented.map(\.rawValue).sorted().joined(separator: ", ")
                throw RequestError.badParameter(
                    name: "pushType",
                    "'\(pushType)' is not a push type; use one of \(names)"
                )
            }
            let payload = try await JSONBody.bytes(of: request)
            return try await Processor.run(for: context) { _ throws(GatewayError) -> Response in
                try Self.response(with: Self.report(on: payload, for: pushType))
            }
        }
        router.post("v1/associations/match") { request, context in
            let question = try await JSONBody.decode(AssociationQuestion.self, from: request)
            return try await Processor.run(for: context) { isCanceled throws(GatewayError) -> Response in
                let response = try Self.response(with: try Self.answer(question, isCanceled: isCanceled))
                // The escapes of JSON may make the texts longer.
                guard response.body.contentLength ?? 0 <= Self.limits.size else {
                    throw .answerTooLarge(limit: Self.limits.size)
                }
                return response
            }
        }
    }

    /// Returns a report on a payload, with a limited number of findings.
    static func report(on payload: [UInt8], for pushType: PushType) -> PayloadReport {
        var report = PayloadCheck.report(on: payload, for: pushType)
        guard let omission = FindingOmission(of: report.findings.map(\.severity)) else { return report }
        let place = report.findings[maximumFindings]
        report.findings.removeSubrange(maximumFindings...)
        report.findings.append(
            PayloadFinding(
                line: place.line,
                column: place.column,
                severity: omission.severity,
                code: AssociationFinding.Code.moreFindings.rawValue,
                message: omission.message
            )
        )
        return report
    }

    /// Returns the answer to a question about an association file.
    ///
    /// - Parameters:
    ///   - question: the question.
    ///   - limits: the limits of the decisions.
    ///   - isCanceled: returns whether nobody needs the answer any more.
    /// - Returns: the answer.
    /// - Throws: `GatewayError.tooManyResults`, `answerTooLarge` and `tooMuchWork`.
    static func answer(
        _ question: AssociationQuestion,
        within limits: DecisionLimits = limits,
        isCanceled: () -> Bool = { false }
    ) throws(GatewayError) -> AssociationAnswer {
        let bytes = Array(question.file.utf8)
        let findings = limited(AssociationCheck.findings(in: bytes))
        let file: AssociationFile
        do throws(AssociationFailure) {
            file = try AssociationFile(bytes)
        } catch {
            return AssociationAnswer(failure: error, findings: findings)
        }
        let decisions: [LinkDecision]
        do throws(DecisionLimitError) {
            let matcher = AssociationMatcher(file)
            decisions = try matcher.decisions(on: question.urls ?? [], within: limits, isCanceled: isCanceled)
        } catch {
            throw GatewayError(error)
        }
        return AssociationAnswer(findings: findings, decisions: decisions)
    }

    private static func limited(_ findings: [AssociationFinding]) -> [AssociationFinding] {
        guard let omission = FindingOmission(of: findings.map(\.severity)) else { return findings }
        let place = findings[maximumFindings]
        let last = AssociationFinding(
            severity: omission.severity,
            code: .moreFindings,
            place: place.place,
            line: place.line,
            column: place.column,
            message: omission.message
        )
        return Array(findings.prefix(maximumFindings)) + [last]
    }

    private static func response(with answer: some Encodable) throws(GatewayError) -> Response {
        do {
            return try JSONResponse.make(answer)
        } catch {
            throw .internalError
        }
    }
}

/// The findings that an answer leaves out because it has too many.
struct FindingOmission: Equatable {
    /// The worst severity of these findings.
    let severity: FindingSeverity

    /// The sentence about them.
    let message: String

    /// Creates the value from the severities of all findings; `nil` if no finding is left out.
    init?(of severities: [FindingSeverity]) {
        let omitted = severities.dropFirst(CheckRoutes.maximumFindings)
        guard !omitted.isEmpty else { return nil }
        severity = omitted.contains(.error) ? .error : omitted.contains(.warning) ? .warning : .note
        let errorCount = omitted.count { $0 == .error }
        message =
            "there are \(omitted.count) more findings from here on, of which \(errorCount) are errors; "
            + "correct the first ones, and check again"
    }
}

extension GatewayError {
    /// Creates the error for decisions about URLs that exceed their limits.
    fileprivate init(_ error: DecisionLimitError) {
        switch error {
        case .tooManyResults(let limit): self = .tooManyResults(limit: limit)
        case .tooLarge(let limit): self = .answerTooLarge(limit: limit)
        case .tooMuchWork: self = .tooMuchWork
        // The client has left, and gets no answer.
        case .canceled: self = .shuttingDown
        }
    }
}
