internal import FoundationEssentials
internal import JSONScanning
package import WaypostSchema

extension PayloadCheck {
    /// The member of a file for the Simulator of Xcode that is not part of the payload.
    static let simulatorKey = "Simulator Target Bundle"

    /// Returns a report on the payload in a JSON file: its size, and what APNs and devices do not accept.
    ///
    /// - Parameters:
    ///   - bytes: the file; in an `.apns` file, the key of the Simulator is not part of the payload.
    ///   - pushType: the push type.
    /// - Returns: the report.
    package static func report(on bytes: [UInt8], for pushType: PushType) -> PayloadReport {
        let lines = LineTable(bytes)
        func finding(_ finding: NotificationFinding, at offset: Int) -> PayloadFinding {
            let location = lines.location(of: offset)
            return PayloadFinding(
                line: location.line,
                column: location.column,
                severity: finding.severity,
                code: finding.code.rawValue,
                message: finding.message
            )
        }
        func refusal(_ reason: RejectionReason, _ message: String, at offset: Int) -> PayloadFinding {
            let code = NotificationFinding.Code(rawValue: reason.rawValue)
            return finding(NotificationFinding(code: code, severity: .error, message: message), at: offset)
        }
        let (size, limit) = (size(of: bytes), maximumSize(for: pushType, topic: ""))
        var report = PayloadReport(size: size, limit: limit, findings: [])
        do throws(Problem) {
            if size > limit {
                let message = "the payload has \(size) bytes; push type \(pushType) accepts at most \(limit)"
                report.reason = .payloadTooLarge
                report.findings.append(refusal(.payloadTooLarge, message, at: 0))
            }
            let context = Context(pushType: pushType, size: size)
            report.findings += try findings(in: bytes, context).map { finding($0.finding, at: $0.offset) }
        } catch {
            report.reason = .payloadEmpty
            let (message, offset) =
                switch error {
                case .notJSON(let jsonError): ("the payload is not JSON: \(jsonError)", jsonError.offset)
                case .notAnObject(let offset), .encodedTwice(let offset): (error.message, offset)
                }
            report.findings = [refusal(.payloadEmpty, message, at: offset)]
        }
        return report
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
