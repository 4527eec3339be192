import Foundation
import HTTP2Sessions

/// Feeds one conversation from the fuzzer to an HTTP/2 session.
///
/// libFuzzer, which contains the `main` of this program, calls the function. A failed precondition or a finding of the
/// address sanitizer ends the program.
///
/// - Parameters:
///   - bytes: The bytes that a client sends after its preface, in pieces whose length depends on the first byte.
///   - count: The number of bytes.
/// - Returns: Always 0.
@_cdecl("LLVMFuzzerTestOneInput")
public func haveOneConversation(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let session = HTTP2Session(), count > 0 else { return 0 }
    let input = UnsafeBufferPointer(start: bytes, count: count)
    listen(to: Conversation.preface, session)
    var rest = input.dropFirst()
    while !rest.isEmpty, !session.isOver {
        let piece = Array(rest.prefix(Int(input[0]) + 1))
        rest = rest.dropFirst(piece.count)
        listen(to: piece, session)
    }
    return 0
}

/// Passes bytes of a client to the session, and answers each request.
private func listen(to bytes: [UInt8], _ session: HTTP2Session) {
    for case .request(let request) in bytes.withUnsafeBytes({ session.receive($0) }) {
        // Some answers have a body.
        let body = Array(request.body.prefix(request.fields.count % 3 * 20))
        session.respond(to: request.stream, with: HTTP2Response(status: 200, body: body))
    }
    var output: [UInt8] = []
    session.writeOutput(to: &output)
    precondition(Conversation.isMadeOfFrames(output), "the session's output is not a sequence of valid frames")
}

/// Writes the seeds into the first folder of the command line, in which libFuzzer keeps its corpus.
///
/// - Returns: Always 0.
@_cdecl("LLVMFuzzerInitialize")
public func writeSeeds(
    _: UnsafeMutablePointer<CInt>?,
    _: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
    guard let folder = CommandLine.arguments.dropFirst().first(where: { !$0.hasPrefix("-") }) else { return 0 }
    for (index, seed) in Conversation.seeds.enumerated() {
        try? Data([255] + seed).write(to: URL(filePath: folder).appending(path: "seed-\(index)"))
    }
    return 0
}
