internal import Hummingbird
internal import LocalService
internal import PushRules
internal import UniversalLinks
internal import WaypostSchema

/// `/v1/payloads/check` and `/v1/associations/match`: what APNs and devices would make of a payload or a file.
struct CheckRoutes {
    func add(to router: Router<ServiceContext>) {
        router.post("v1/payloads/check") { request, _ in
            let pushType = PushType(rawValue: String(request.uri.queryParameters["pushType"] ?? "alert"))
            guard PushType.documented.contains(pushType) else {
                let names = PushType.documented.map(\.rawValue).sorted().joined(separator: ", ")
                throw RequestError.badParameter(
                    name: "pushType",
                    "'\(pushType)' is not a push type; use one of \(names)"
                )
            }
            return try JSONResponse.make(PayloadCheck.report(on: try await JSONBody.bytes(of: request), for: pushType))
        }
        router.post("v1/associations/match") { request, _ in
            try JSONResponse.make(Self.answer(try await JSONBody.decode(AssociationQuestion.self, from: request)))
        }
    }

    /// Returns the answer to a question about an association file.
    static func answer(_ question: AssociationQuestion) -> AssociationAnswer {
        let bytes = Array(question.file.utf8)
        let findings = AssociationCheck.findings(in: bytes)
        do throws(AssociationFailure) {
            let matcher = AssociationMatcher(try AssociationFile(bytes))
            let decisions = (question.urls ?? []).flatMap { matcher.decisions(on: $0, tracing: true) }
            return AssociationAnswer(findings: findings, decisions: decisions)
        } catch {
            return AssociationAnswer(failure: error, findings: findings)
        }
    }
}
