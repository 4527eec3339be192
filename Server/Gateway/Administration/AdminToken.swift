internal import ASCII
internal import Foundation
internal import GatewayStore
internal import HTTPTypes
internal import Hummingbird
internal import LocalFiles
internal import LocalService
internal import WaypostSchema

/// The administrative token: who shows it may do everything on the service listener.
///
/// It has 64 hexadecimal digits, which are 256 random bits. What is kept in mind of it is its digest alone.
struct AdminToken: Sendable {
    /// The SHA-256 of the token.
    let digest: SecretDigest

    /// Where a person finds it.
    let place: String

    /// Creates the value of a token that is found in `place`; `nil` where `text` is no token.
    init?(_ text: String, place: String) {
        guard text.utf8.count == 64, text.utf8.allSatisfy(\.isHexadecimalDigit) else { return nil }
        digest = SecretDigest(of: AgentSecret(rawValue: text))
        self.place = place
    }

    /// Whether `text` is the token, told in a time that says nothing about it.
    func isShown(by text: String) -> Bool {
        SecretDigest(of: AgentSecret(rawValue: text)) == digest
    }
}

extension AdminToken {
    /// The environment variable that a token is taken from.
    static let variable = "WAYPOST_ADMIN_TOKEN"

    /// Finds the gateway's token: in the environment, or else in the file of its data folder, which is made where it is
    /// not there.
    ///
    /// - Parameters:
    ///   - given: the value of the environment variable.
    ///   - configuration: how the gateway is run.
    ///   - makeToken: makes a token.
    /// - Returns: the token; `nil` where there is no folder to keep one in, and none is needed.
    /// - Throws: `GatewayStartError.cannotUseAdminToken`.
    static func find(
        _ given: String?,
        _ configuration: GatewayConfiguration,
        makeToken: () -> String
    ) throws(GatewayStartError) -> Self? {
        if let given {
            guard let token = Self(given, place: "the environment variable \(variable) of the gateway") else {
                throw .cannotUseAdminToken("\(variable): the value has to be 64 hexadecimal digits")
            }
            return token
        }
        guard let folder = configuration.store.folder else {
            guard configuration.authentication == .none else {
                throw .cannotUseAdminToken(
                    "there is no folder to keep an administrative token in; set \(variable) to 64 hexadecimal digits"
                )
            }
            return nil
        }
        let file = AdminTokenFile(path: folder + "/admin-token")
        let kept = try file.read()
        let text = if let kept { kept } else { try file.write(makeToken()) }
        guard let token = Self(text, place: URL(filePath: file.path).absoluteURL.path) else {
            throw .cannotUseAdminToken(
                "\(file.path) does not hold 64 hexadecimal digits and a line feed; remove it, and a new one is made"
            )
        }
        return token
    }
}

/// The file that a gateway keeps its administrative token in: a line that nobody but its owner may read.
struct AdminTokenFile {
    let path: String

    /// Returns the file's line; `nil` where there is no file.
    ///
    /// - Throws: `GatewayStartError.cannotUseAdminToken` where it cannot be read, or others may read or write it.
    func read() throws(GatewayStartError) -> String? {
        let mode: mode_t
        let bytes: [UInt8]
        do throws(SystemError) {
            let file = try OpenFile(path: path)
            // More than a token and a line feed is none.
            (mode, bytes) = (try file.mode(), try file.read(upTo: 66))
        } catch {
            guard error.code != ENOENT else { return nil }
            throw .cannotUseAdminToken("\(path) cannot be read: \(error)")
        }
        guard mode & 0o077 == 0 else {
            throw .cannotUseAdminToken("\(path) can be read or written by others; make it private: chmod 600 \(path)")
        }
        return String(decoding: bytes.last == 0x0A ? bytes.dropLast() : bytes, as: UTF8.self)
    }

    /// Writes the file with `token` in it, whole or not at all, and returns the token.
    ///
    /// - Throws: `GatewayStartError.cannotUseAdminToken`.
    func write(_ token: String) throws(GatewayStartError) -> String {
        do throws(SystemError) {
            try WholeFile.write(Array((token + "\n").utf8), to: path)
        } catch {
            throw .cannotUseAdminToken("\(path) cannot be written: \(error)")
        }
        return token
    }
}

/// Lets nobody through who does not show the administrative token; batches may also be sent by who may send notifications.
///
/// It answers before anything is looked for, so that the answer does not tell what is there. Health is everybody's.
struct AuthenticationMiddleware<Context: RequestContext>: RouterMiddleware {
    let token: AdminToken

    /// Whether an `authorization` is one of a provider.
    let isProvider: @Sendable (String?) -> Bool

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let authorization = request.headers[.authorization]
        let isAdministrator = bearerToken(in: authorization).map { token.isShown(by: String($0)) } ?? false
        guard
            isOpen(request.uri.path) || isAdministrator
                || isForProviders(request) && isProvider(authorization)
        else {
            var pieces = RequestPieces(request)
            await pieces.drain()
            throw GatewayError.adminTokenRequired(place: token.place)
        }
        return try await next(request, context)
    }

    private func isOpen(_ path: String) -> Bool {
        path.split(separator: "/").first == "health"
    }

    private func isForProviders(_ request: Request) -> Bool {
        request.method == .post && request.uri.path == "/v1/batches"
    }
}
