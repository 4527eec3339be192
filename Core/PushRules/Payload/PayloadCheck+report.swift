internal import FoundationEssentials
internal import JSONScanning
package import WaypostSchema

extension PayloadCheck {
    /// The member of a file for the Simulator of Xcode that is not part of the payload.
    private static let simulatorKey = "Simulator Target Bundle"

    /// Returns a report on the payload in a JSON file: its size, and what APNs and devices do not accept.
    ///
    /// - Parameters:
    ///   - bytes: the file; in an `.apns` file, the key of the Simulator is not part of the payload.
    ///   - pushType: the push type.
    /// - Returns: the report.
    package static func report(on bytes: [UInt8], for pushType: PushType) -> PayloadReport {
        let lines = LineTable(bytes)
        func finding(
            _ severity: PayloadFinding.Severity,
            _ code: String,
            message: String,
            at offset: Int
        ) -> PayloadFinding {
            let location = lines.location(of: offset)
            return PayloadFinding(
                line: location.line,
                column: location.column,
                severity: severity,
                code: code,
                message: message
            )
        }
        let (size, limit) = (size(of: bytes), maximumSize(for: pushType, topic: ""))
        var findings: [PayloadFinding] = []
        do throws(Problem) {
            if size > limit {
                let message = "the payload has \(size) bytes; push type \(pushType) accepts at most \(limit)"
                findings.append(finding(.error, RejectionReason.payloadTooLarge.rawValue, message: message, at: 0))
            }
            findings += try Self.findings(in: bytes, for: pushType).sorted { $0.offset < $1.offset }
                .map { finding(.warning, $0.finding.code.rawValue, message: $0.finding.message, at: $0.offset) }
        } catch {
            let code = RejectionReason.payloadEmpty.rawValue
            switch error {
            case .notJSON(let jsonError):
                let message = "the payload is not JSON: \(jsonError)"
                findings = [finding(.error, code, message: message, at: jsonError.offset)]
            case .notAnObject(let offset):
                findings = [finding(.error, code, message: error.message, at: offset)]
            }
        }
        return PayloadReport(size: size, limit: limit, findings: findings)
    }

    /// Returns the size of a payload that is sent without spaces, and without the key of the Simulator.
    private static func size(of bytes: [UInt8]) -> Int {
        guard case .object(var members)? = try? DocumentDecoder.decode(JSONValue.self, fromDeepJSON: bytes) else {
            return bytes.count
        }
        members[simulatorKey] = nil
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(JSONValue.object(members)).count) ?? bytes.count
    }
}
