import Foundation
import HTTP2Sessions

/// Lets one conversation that the fuzzer made up happen to an HTTP/2 session.
///
/// Called by libFuzzer, which has the `main` of this program; what does not hold ends it, and so does what the address sanitizer
/// finds.
///
/// - Parameters:
///   - bytes: what a client sends behind its preface, in pieces whose length the first byte says.
///   - count: how many bytes there are.
/// - Returns: 0, whatever was said.
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

/// Takes in what a client says, and answers each request.
private func listen(to bytes: [UInt8], _ session: HTTP2Session) {
    for case .request(let request) in bytes.withUnsafeBytes({ session.receive($0) }) {
        // Some answers have a body and some have none.
        let body = Array(request.body.prefix(request.fields.count % 3 * 20))
        session.respond(to: request.stream, with: HTTP2Response(status: 200, body: body))
    }
    var output: [UInt8] = []
    session.output(to: &output)
    precondition(Conversation.isMadeOfFrames(output), "what is answered are no frames")
}

/// Writes the seeds into the first folder of the command line, which is where libFuzzer keeps its corpus.
///
/// - Returns: 0.
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
