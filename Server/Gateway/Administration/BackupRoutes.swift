internal import Cryptography
internal import Foundation
internal import GatewayStore
internal import HTTPTypes
internal import Hummingbird
internal import LocalFiles
internal import LocalService
internal import NIOPosix
internal import WaypostSchema

/// `/v1/backup`: a copy of the whole store as it is at one moment.
struct BackupRoutes {
    let store: StoreAccess

    /// The number of bytes that are read at once.
    private static let chunkSize = 1 << 20

    func add(to router: Router<ServiceContext>) {
        router.get("v1/backup") { _, _ in
            let copy = try await makeCopy()
            let content = try await Self.content(of: copy.file)
            // RFC 9530: the digest lets the client find out whether it has the whole file.
            let headers: HTTPFields = [
                .contentType: "application/vnd.sqlite3", .cacheControl: "no-store",
                .reprDigest: "sha-256=:\(Data(content.digest).base64EncodedString()):",
            ]
            return Response(
                status: .ok,
                headers: headers,
                body: ResponseBody(contentLength: content.length) { writer in
                    // The copy is kept until it is sent.
                    try copy.file.rewind()
                    while case let chunk = try await Self.read(copy.file), !chunk.isEmpty {
                        try await writer.write(ByteBuffer(bytes: chunk))
                    }
                    try await writer.finish(nil)
                }
            )
        }
    }

    private func makeCopy() async throws(GatewayError) -> StoreBackup {
        do throws(GatewayError) {
            guard let copy = try await store.call({ try await $0.backup() }) else { throw .backupElsewhere }
            return copy
        } catch {
            throw error == .store(.busy) ? .backupInProgress : error
        }
    }

    private static func content(of file: OpenFile) async throws -> (length: Int, digest: [UInt8]) {
        var length = 0
        let digest = SHA256()
        try file.rewind()
        while case let chunk = try await read(file), !chunk.isEmpty {
            length += chunk.count
            digest.update(chunk)
        }
        return (length, digest.finish())
    }

    private static func read(_ file: OpenFile) async throws -> [UInt8] {
        try await NIOThreadPool.singleton.runIfActive { try file.read(upTo: chunkSize) }
    }
}

extension HTTPField.Name {
    fileprivate static let reprDigest: Self = {
        guard let name = Self("Repr-Digest") else { preconditionFailure("Repr-Digest is a token of RFC 9110") }
        return name
    }()
}
