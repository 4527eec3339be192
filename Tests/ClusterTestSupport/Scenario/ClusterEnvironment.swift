/// The program that a cluster runs, the folder of its logs, and the history of what happens.
package struct ClusterEnvironment: Sendable {
    /// The path of the gateway's executable.
    let program: String

    /// The folder for the logs; without it, they are removed with the cluster.
    let logs: String?

    /// Adds a line to the history: who acts, and a text.
    let note: @Sendable (_ actor: String, _ text: String) -> Void

    /// Creates an environment.
    package init(
        program: String,
        logs: String?,
        note: @escaping @Sendable (_ actor: String, _ text: String) -> Void = { _, _ in }
    ) {
        (self.program, self.logs, self.note) = (program, logs, note)
    }
}

extension Duration {
    /// The maximum time of each wait for a part of a cluster, on a busy machine.
    static let clusterWait = Duration.seconds(120)
}
