internal import ArgumentParser

/// The certificate authority of this machine: `waypost ca`.
struct CertificateAuthorityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ca",
        abstract: "Make the local certificate authority, and say how clients trust it.",
        subcommands: [
            CertificateAuthorityCreateCommand.self, CertificateAuthorityClientCommand.self,
            CertificateAuthorityEnvironmentCommand.self,
        ]
    )
}
