import WaypostTestSupport

/// The choices of a trial of exhaustion.
struct ExhaustionPlan: Sendable {
    /// The resource of which a gateway has too little; the raw value is its name in reports.
    enum Resource: String, CaseIterable, Sendable {
        case openFiles = "few open files"
        case memory = "little memory"
        case disk = "a full disk"
        case slowReaders = "slow readers"
        case unfinishedRequests = "unfinished requests"
    }

    /// The resource; five successive seeds have all five.
    let resource: Resource

    /// The number of slow readers and of unfinished requests.
    ///
    /// The first five seeds have a tenth, so that a run of two minutes has trials of all kinds.
    let connectionCount: Int

    /// Whether the clients leave their connections open until the gateway closes them.
    let waitsForGateway: Bool

    /// The maximum time-out in seconds of the unfinished requests.
    let maximumTimeout: Int

    /// The seed of all other choices.
    let seed: UInt64

    /// The number of seeds whose trials have few connections.
    private static let smallTrialCount: UInt64 = 5

    /// Makes the choices of a seed.
    init(seed: UInt64) {
        self.seed = seed
        let resources = Resource.allCases
        resource = resources[Int(seed % UInt64(resources.count))]
        let isSmall = seed < Self.smallTrialCount
        connectionCount = isSmall ? 1_000 : 10_000
        maximumTimeout = isSmall ? 30 : 75
        var generator = SeededGenerator(seed: seed)
        let isPatient = Bool.random(using: &generator)
        // Waiting takes two minutes for slow readers.
        waitsForGateway = isPatient && (!isSmall || resource == .unfinishedRequests)
    }

    /// Whether the trial needs many open connections.
    var needsManyConnections: Bool {
        resource == .slowReaders || resource == .unfinishedRequests
    }

    /// The memory in MiB that the gateway may need.
    var memory: Int {
        let readerCount = resource == .slowReaders ? connectionCount : 0
        return ExhaustionLimits.memory + readerCount * ExhaustionLimits.memoryOfSlowReader / 1_024
    }

    /// The number of descriptors that a gateway may have more than before the load, once it is over.
    ///
    /// The store opens up to five readers when it needs them, with two files each.
    var descriptorTolerance: Int {
        needsManyConnections ? 32 : 14
    }
}

/// The numbers that the campaign checks, as `docs/reliability.md` states them.
enum ExhaustionLimits {
    /// The setting `--memory` of a gateway in MiB, its minimum: only slow readers may need more.
    static let memory = 256

    /// The memory in KiB beyond `memory` that each slow reader may need.
    static let memoryOfSlowReader = 8

    /// The open files of a gateway that has few of them.
    static let openFiles = 64

    /// The address space in KiB of a gateway that has little memory (`ulimit -v`).
    static let addressSpace = 1_000_000

    /// The time in which a notification is accepted and arrives during a load.
    static let delivery = Duration.seconds(30)

    /// The time in which a new client is served if others use all open files and send nothing.
    ///
    /// They lose their connections after 15 s, and others of them wait for these files.
    static let deliveryWithoutDescriptors = Duration.seconds(55)

    /// The time in which all is as before a load that is over.
    static let recovery = Duration.seconds(90)

    /// The time within which the gateway has closed the connections of all clients that read nothing: 45 s without
    /// progress or 75 s without a next request, and time for the ends of 10,000 streams.
    static let slowReaders = Duration.seconds(150)

    /// The time that a busy machine may need in addition to the time-outs of `docs/SECURITY.md`.
    static let margin = Duration.seconds(12)
}
