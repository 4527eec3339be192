/// A fault that a trial injects into a cluster under load.
package enum ClusterFault: Sendable, Hashable {
    /// Kills a gateway, and starts it again at once or after its sessions were given up.
    case killGateway

    /// Restarts all gateways, one after the other, as an update does.
    case restartGateways

    /// Kills all processes of the database, and starts it again.
    case killDatabase

    /// Freezes the primary, promotes the replica, and kills the primary.
    case promoteReplica

    /// Stops a gateway for a number of seconds.
    case stopGateway(seconds: Int)

    /// Stops a gateway for a number of seconds while it has a transaction open: between two of its pipelines, or before
    /// the server has the end of one.
    case stopGatewayInTransaction(seconds: Int)

    /// Cuts connections before the server gets the statement COMMIT.
    case cutBeforeCommit

    /// Cuts connections after the server gets the statement COMMIT, before the answer.
    case cutAfterCommit

    /// Cuts connections of one gateway before or after COMMIT, and often refuses new ones for a while, so that the
    /// gateway cannot ask for the outcome.
    case loseOutcome

    /// Cuts the connections on which gateways listen to each other.
    case loseNotifications

    /// All faults.
    package static let all: [Self] = [
        .killGateway, .restartGateways, .killDatabase, .promoteReplica, .stopGateway(seconds: 1),
        .stopGateway(seconds: 3),
        .stopGateway(seconds: 10), .stopGatewayInTransaction(seconds: 1), .stopGatewayInTransaction(seconds: 3),
        .stopGatewayInTransaction(seconds: 10), .cutBeforeCommit, .cutAfterCommit, .loseOutcome,
        .loseNotifications,
    ]

    /// Whether the fault can happen only once to a cluster, as its last one.
    package var needsNewCluster: Bool {
        self == .promoteReplica
    }
}

extension ClusterFault: CustomStringConvertible {
    /// The fault, as an imperative.
    package var description: String {
        switch self {
        case .killGateway: "kill a gateway"
        case .restartGateways: "restart all gateways"
        case .killDatabase: "kill the database"
        case .promoteReplica: "promote the replica"
        case .stopGateway(let seconds): "stop a gateway for \(seconds) s"
        case .stopGatewayInTransaction(let seconds): "stop a gateway in a transaction for \(seconds) s"
        case .cutBeforeCommit: "cut before COMMIT"
        case .cutAfterCommit: "cut after COMMIT"
        case .loseOutcome: "lose the outcome of COMMIT"
        case .loseNotifications: "lose notifications"
        }
    }
}
