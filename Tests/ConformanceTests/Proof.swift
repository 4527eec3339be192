import Foundation
import WaypostTestSupport

/// A test, or a suite of tests, that says it proves a sentence.
struct Proof: Hashable, Sendable {
    /// The number of the sentence.
    var number: String

    /// The test with its suites, such as `TieBreakTests/singleSceneNeedsNoTieBreak`.
    var test: String

    /// The file that it is in, below the folder of tests.
    var path: String

    /// The proofs of all tests of the project, each once, in the order of their files and names.
    static func all() throws -> [Proof] {
        // A folder that is a link would be found empty.
        let folder = Repository.root.appending(path: "Tests").resolvingSymlinksInPath()
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let proofs = try names.filter { $0.hasSuffix(".swift") }.flatMap { name in
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            return ProofScan.proofs(in: text, at: name)
        }
        return Set(proofs).sorted { ($0.path, $0.test, $0.number) < ($1.path, $1.test, $1.number) }
    }
}
