internal import Foundation
internal import GatewayStore
internal import HTTPTypes
internal import Hummingbird
internal import LocalFiles
internal import LocalService
internal import TextBasics
internal import WaypostSchema

/// The administrative token, which authorizes every request to the service listener.
///
/// It consists of 64 hexadecimal digits, which are 256 random bits. The gateway keeps only its digest in memory.
struct AdminToken: Sendable {
    /// The SHA-256 of the token.
    let digest: SecretDigest

    /// The location of the token, for messages to the user.
    let location: String

    /// The file of the token, or `nil` if it is in the environment.
    let file: AdminTokenFile?

    /// Creates the value for a token that is stored at `location`, or `nil` if `string` is not a token.
    init?(_ string: String, location: String, file: AdminTokenFile? = nil) {
        guard let digest = Self.digest(of: string) else { return nil }
        self.digest = digest
        self.location = location
        self.file = file
    }

    /// Returns the digest of a token, or `nil` if `string` does not have the form of one.
    static func digest(of string: some StringProtocol) -> SecretDigest? {
        guard string.utf8.count == 64, string.utf8.allSatisfy(\.isHexadecimalDigit) else { return nil }
        return SecretDigest(of: BearerSecret(rawValue: String(string)))
    }
}

extension AdminToken {
    /// The environment variable that may contain the token.
    static let environmentVariable = "WAYPOST_ADMIN_TOKEN"

    /// Finds the gateway's token in the environment, or else in a file of its data folder.
    ///
    /// The file is created if it does not exist.
    ///
    /// - Parameters:
    ///   - environmentValue: the value of the environment variable.
    ///   - configuration: the gateway's configuration.
    ///   - makeToken: creates a token.
    /// - Returns: the token, or `nil` if there is no data folder and authentication is off.
    /// - Throws: `GatewayStartError.cannotUseAdminToken` if the token is missing or cannot be used.
    static func find(
        environmentValue: String?,
        configuration: GatewayConfiguration,
        makeToken: () -> String
    ) throws(GatewayStartError) -> Self? {
        if let environmentValue {
            guard
                let token = Self(
                    environmentValue,
                    location: "the environment variable \(environmentVariable) of the gateway"
                )
            else {
                throw .cannotUseAdminToken("\(environmentVariable): the value must be 64 hexadecimal digits")
            }
            return token
        }
        guard let folder = configuration.store.folder else {
            guard configuration.authentication == .none else {
                throw .cannotUseAdminToken(
                    "there is no data folder for the administrative token; "
                        + "set \(environmentVariable) to 64 hexadecimal digits"
                )
            }
            return nil
        }
        let file = AdminTokenFile(path: folder + "/admin-token")
        let location = "the file admin-token in the gateway's data folder"
        if let contents = try file.read() { return try file.token(in: contents, location: location) }
        let line = try file.write(makeToken())
        guard let token = Self(line, location: location, file: file) else { throw file.noTokenError }
        return token
    }
}

/// The file with a gateway's administrative token: one line that only its owner may read.
struct AdminTokenFile: Sendable {
    let path: String

    /// The line of the file, and the version of the file that has it.
    struct Contents: Equatable {
        let line: String
        let version: FileVersion
    }

    /// The error of a file without a token.
    var noTokenError: GatewayStartError {
        .cannotUseAdminToken(
            """
            \(path) has no usable token; write 64 hexadecimal digits and a line feed, or remove it before the next \
            start to get a new token
            """
        )
    }

    /// Returns the token in the file's contents.
    ///
    /// - Throws: `noTokenError`.
    func token(in contents: Contents, location: String) throws(GatewayStartError) -> AdminToken {
        guard let token = AdminToken(contents.line, location: location, file: self) else { throw noTokenError }
        return token
    }

    /// Returns the file's contents, or `nil` if there is no file.
    ///
    /// - Throws: `GatewayStartError.cannotUseAdminToken` if it cannot be read, or if other users may read or write it.
    func read() throws(GatewayStartError) -> Contents? {
        let mode: mode_t
        let version: FileVersion
        let bytes: [UInt8]
        do throws(SystemError) {
            let file = try OpenFile(path: path)
            // The version comes before the bytes: if the file is written meanwhile, its version is another one.
            (mode, version) = (try file.mode(), try file.version())
            // Reads one byte more than a token and a line feed, so that a longer file is not accepted.
            bytes = try file.read(upTo: 66)
        } catch {
            guard error.code != ENOENT else { return nil }
            throw .cannotUseAdminToken("\(path) cannot be read: \(error)")
        }
        guard mode & 0o077 == 0 else {
            throw .cannotUseAdminToken("\(path) is accessible to other users; make it private: chmod 600 \(path)")
        }
        let line = String(decoding: bytes.last == 0x0A ? bytes.dropLast() : bytes, as: UTF8.self)
        return Contents(line: line, version: version)
    }

    /// Writes `token` to the file atomically and returns it.
    ///
    /// - Throws: `GatewayStartError.cannotUseAdminToken` if the file cannot be written.
    func write(_ token: String) throws(GatewayStartError) -> String {
        do throws(SystemError) {
            try AtomicFile.write(Array((token + "\n").utf8), to: path)
        } catch {
            throw .cannotUseAdminToken("\(path) cannot be written: \(error)")
        }
        return token
    }
}

/// Middleware that refuses requests without the administrative token.
///
/// A provider token is enough to send batches. Health, the authority's certificate and the files of the console need no
/// token. The middleware runs before any route, so that a refusal does not reveal which resources exist.
struct AuthenticationMiddleware<Context: RequestContext>: RouterMiddleware {
    let token: AdminTokenRotation

    /// Whether the listener has the console.
    let hasConsole: Bool

    /// Whether an `authorization` header contains a valid provider token.
    let isProvider: @Sendable (String?) -> Bool

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let authorization = request.headers[.authorization]
        let isAdministrator = bearerToken(in: authorization).map { token.matches($0, at: .now) } ?? false
        guard
            needsNoToken(request.uri.path) || isAdministrator
                || isForProviders(request) && isProvider(authorization)
        else {
            var chunks = RequestChunks(request)
            await chunks.drain()
            throw GatewayError.adminTokenRequired(location: token.location)
        }
        return try await next(request, context)
    }

    private func needsNoToken(_ path: String) -> Bool {
        let first = path.split(separator: "/").first
        return first == "health" || path == "/v1/ca.pem" || hasConsole && (first == nil || first == "console")
    }

    private func isForProviders(_ request: Request) -> Bool {
        request.method == .post && request.uri.path == "/v1/batches"
    }
}
