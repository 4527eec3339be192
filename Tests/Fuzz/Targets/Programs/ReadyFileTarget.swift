import Foundation
import LocalProcesses
import LocalService
import WaypostSchema

@testable import Gateway

extension FuzzTarget {
    /// A ready file, or the file with an administrative token.
    static let readyFiles = FuzzTarget(
        name: "ready-files",
        summary: "ready files of gateways, agents and stacks, and files of tokens; what is read can be written and read"
    ) { bytes in
        let folder = ScratchMemory()
        let path = folder.write(Array(bytes), to: "admin-token")
        check(GatewayReadyFile.self, called: "gateway", path)
        check(AgentReadyFile.self, called: "agent", path)
        checkToken(in: folder, path)
    }

    private static func check<Ready: Codable & Equatable>(_: Ready.Type, called name: String, _ path: String) {
        do throws(ProcessFailure) {
            let ready = try ReadyFiles.read(Ready.self, called: name, from: path)
            let copy = path + ".copy"
            guard (try? ReadyFile.write(ready, to: copy)) != nil else { endUnprepared("a file cannot be written") }
            let again = try ReadyFiles.read(Ready.self, from: copy)
            promise(again == ready, "a ready file is the same when it is written and read", found: (ready, again))
        } catch {
            promise(error.description.hasPrefix("\(path): "), "an error names the file", found: error)
            promise(error.isUnusableInput, "a file cannot be used", found: error)
        }
    }

    private static func checkToken(in folder: ScratchMemory, _ path: String) {
        let token = try? ReadyFiles.adminToken(at: path)
        if let token {
            let isVisible = token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            promise(isVisible && !token.isEmpty, "a token fits into a header", found: token)
        }
        chmod(path, 0o600)
        let file = AdminTokenFile(path: path)
        guard let contents = try? file.read(), (try? file.token(in: contents, location: "a file")) != nil
        else { return }
        promise(token == contents.line, "clients read the token of the gateway", found: contents)
        let inFolder = ReadyFiles.adminToken([:], dataFolder: folder.path)
        promise(inFolder == token, "a token is found in the folder of its gateway", found: inFolder as Any)
    }
}
