import UniversalLinks
import WaypostSchema

extension FuzzTarget {
    /// An association file.
    static let associations = FuzzTarget(
        name: "associations",
        summary: "apple-app-site-association files; a trace and each app alone change no decision"
    ) { bytes in
        AssociationPromises(Array(bytes)).check()
    }
}

/// The guarantees for the bytes of an association file.
private struct AssociationPromises {
    private static let urls = [
        "https://clowntown.example/", "https://clowntown.example/clowns/7?a=1&b=%C3%A9#x",
        "https://clowntown.example/CLOWNS//a%2Fb/", "https://clowntown.example/a/b/c/d/e?*=?&&=#%20",
    ]

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Ends the program if a guarantee is violated.
    func check() {
        let findings = AssociationCheck.findings(in: bytes)
        let lineCount = bytes.count { $0 == UInt8(ascii: "\n") } + 1
        for finding in findings {
            let isInFile = (1...lineCount).contains(finding.line) && finding.column >= 1
            promise(isInFile, "a finding is in the file", found: finding)
            promise(!finding.message.isEmpty, "a finding has a message", found: finding)
        }
        do throws(AssociationFailure) {
            let file = try AssociationFile(bytes)
            promise(AssociationFile.haveSameContents(bytes, bytes), "a file has the contents of itself")
            check(AssociationMatcher(file))
        } catch {
            promise(findings.contains { $0.severity == .error }, "a file that is refused has an error", found: error)
        }
    }

    private func check(_ matcher: AssociationMatcher) {
        for url in Self.urls {
            let decisions = matcher.decisions(on: url)
            let traced = matcher.decisions(on: url, tracing: true)
            let isSame = zip(decisions, traced).allSatisfy { plain, traced in
                plain.outcome == traced.outcome && plain.reason == traced.reason && plain.app == traced.app
            }
            promise(decisions.count == traced.count, "a trace adds no decision", found: url)
            promise(isSame, "a trace changes no decision", found: (url, decisions, traced))
            let alone = matcher.apps.map { matcher.decision(on: url, for: $0) }
            let isSameAlone = matcher.apps.isEmpty || alone == decisions
            promise(isSameAlone, "each app alone has the same decision", found: (url, alone))
            for decision in traced {
                let hidden = decision.explanation.unicodeScalars.contains { $0.value < 0x20 || 0x7F...0x9F ~= $0.value }
                promise(!hidden, "an explanation has no control character", found: decision)
            }
        }
    }
}
