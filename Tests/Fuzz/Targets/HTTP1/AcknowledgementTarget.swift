import LocalService
import WaypostSchema

@testable import Gateway

extension FuzzTarget {
    /// A byte for the size of the pieces, and the body of a session.
    static let acknowledgements = FuzzTarget(
        name: "acknowledgements",
        summary: "bodies of sessions; each line is decoded as its JSON, in pieces of any size"
    ) { bytes in
        guard let first = bytes.first else { return }
        let body = Array(bytes.dropFirst())
        let expected = decoded(body)
        let pieces = received(body, pieceSize: Int(first) + 1)
        promise(pieces.problemLine == expected.problemLine, "the same line is malformed", found: (pieces, expected))
        guard expected.problemLine == nil else { return }
        promise(pieces.values == expected.values, "the acknowledgements are those of the lines", found: pieces)
    }

    /// The acknowledgements up to a malformed line.
    private struct Session {
        var values: [Acknowledgement] = []
        var problemLine: Int?
    }

    private static func received(_ body: [UInt8], pieceSize: Int) -> Session {
        var (session, lines) = (Session(), AcknowledgementLines())
        do throws(AcknowledgementLines.Problem) {
            for start in stride(from: 0, to: body.count, by: pieceSize) {
                session.values += try lines.append(body[start..<min(start + pieceSize, body.count)])
            }
        } catch {
            session.problemLine = error.line
        }
        return session
    }

    /// Decodes each whole line with the decoder of JSON.
    private static func decoded(_ body: [UInt8]) -> Session {
        var session = Session()
        let lines = body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        for (index, line) in lines.enumerated() where !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) {
            guard let value = try? JSONBody.decode(Acknowledgement.self, from: Array(line)) else {
                session.problemLine = index + 1
                return session
            }
            session.values.append(value)
        }
        return session
    }
}
