internal import ArgumentParser
internal import Foundation
internal import LocalAuthority

/// Makes a certificate authority: `waypost ca create`.
struct CertificateAuthorityCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a certificate authority for this machine, and a server's certificate that it has signed.",
        discussion: """
            The certificate is for localhost, 127.0.0.1, ::1 and the hosts of APNs, old and new. A gateway makes the \
            same at its first start with --provider or --proxy. What is there already is kept; a server's certificate \
            that ends within a month is made anew.
            """
    )

    @Option(help: "The folder (default: ca in the gateway's standard data folder).")
    var folder = "waypost-data/ca"

    func run() async throws {
        try await reportingFailures {
            let authority = AuthorityFolder(path: folder)
            do throws(AuthorityFolder.Fault) {
                let isNew = try authority.prepare(.system)
                StandardError.write(isNew ? "made an authority" : "the authority was there already")
            } catch {
                throw CommandFailure.unusable(error.description)
            }
            try StandardOutput.write(authority.authorityCertificate + "\n")
        }
    }
}

extension LocalAuthority.Sources {
    /// The system's clock and its secure random numbers.
    static let system = Self(
        now: { Date() },
        randomBytes: { count in
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in generator.next() }
        }
    )
}
