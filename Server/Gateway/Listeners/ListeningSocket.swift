internal import LocalService
internal import NIOCore
internal import NIOExtras
internal import NIOPosix
internal import NIOSSL
internal import ServiceLifecycle

/// The socket of a listener on bare NIO: what takes connections in, and lets them end at a graceful shutdown.
struct ListeningSocket {
    /// The listener's name, for whoever reads why it cannot start.
    let name: String
    let address: ListenAddress

    /// Serves until a graceful shutdown, of which every connection is told (`ChannelShouldQuiesceEvent`), and until they have
    /// ended.
    ///
    /// - Parameters:
    ///   - onListening: called with the port once connections are accepted.
    ///   - configure: says what a connection is like.
    /// - Throws: `GatewayStartError` where it cannot listen.
    func serve(
        onListening: (_ port: Int) -> Void,
        configure: (ServerBootstrap) -> ServerBootstrap
    ) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let quiescing = ServerQuiescingHelper(group: group)
        let channel: any Channel
        do {
            channel = try await configure(bootstrap(group, quiescing)).bind(host: address.host, port: address.port)
                .get()
        } catch let error as IOError {
            throw GatewayStartError(error, binding: "the \(name) listener's \(address)")
        }
        onListening(channel.localAddress?.port ?? 0)
        let isQuiet = channel.eventLoop.makePromise(of: Void.self)
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await isQuiet.futureResult.get()
        } onCancelOrGracefulShutdown: {
            quiescing.initiateShutdown(promise: isQuiet)
        }
    }

    private func bootstrap(_ group: any EventLoopGroup, _ quiescing: ServerQuiescingHelper) -> ServerBootstrap {
        ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1_024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(quiescing.makeServerChannelHandler(channel: channel))
                    // Without file descriptors left, accepting is tried again in a while rather than at once.
                    try pipeline.addHandler(AcceptBackoffHandler())
                }
            }
    }
}

/// A listener's TLS, where it has any.
struct ListenerSecurity: Sendable {
    private let context: NIOSSLContext?

    /// Whether clients are asked for a certificate, which they need not have.
    private let asksForCertificates: Bool

    /// Reads the certificate and the key.
    ///
    /// - Parameters:
    ///   - files: where they are; `nil` for no TLS.
    ///   - protocols: what clients may choose from (ALPN, RFC 7301).
    ///   - asksForCertificates: whether clients are asked for a certificate. Whatever they show is taken: what it is worth is
    ///     told them in HTTP.
    /// - Throws: `GatewayStartError.cannotUseCertificate`.
    init(_ files: TLSFiles?, protocols: [String], asksForCertificates: Bool = false) throws(GatewayStartError) {
        self.asksForCertificates = asksForCertificates
        guard let files else {
            context = nil
            return
        }
        let certificates: [NIOSSLCertificate]
        let key: NIOSSLPrivateKey
        do {
            certificates = try NIOSSLCertificate.fromPEMFile(files.certificate)
        } catch {
            throw .cannotUseCertificate(files.certificate, reason: "no certificate in PEM can be read: \(error)")
        }
        do {
            key = try NIOSSLPrivateKey(file: files.key, format: .pem)
        } catch {
            throw .cannotUseCertificate(files.key, reason: "no private key in PEM can be read: \(error)")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        // Whoever is gone does not say goodbye, and is not waited for.
        configuration.shutdownTimeout = .seconds(1)
        configuration.applicationProtocols = protocols
        if asksForCertificates { configuration.certificateVerification = .optionalVerification }
        do {
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw .cannotUseCertificate(files.certificate, reason: "it does not go with its key: \(error)")
        }
    }

    /// Adds what a connection needs, before anything else is added.
    func secure(_ pipeline: ChannelPipeline.SynchronousOperations) throws {
        guard let context else { return }
        guard asksForCertificates else { return try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
        let handler = NIOSSLServerHandler(context: context) { _, verdict in verdict.succeed(.certificateVerified) }
        try pipeline.addHandler(handler)
    }
}
