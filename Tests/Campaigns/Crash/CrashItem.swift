import WaypostSchema

/// A notification that a sender of the crash campaign sends, by the name in its payload.
struct CrashItem: Sendable, Equatable {
    /// The result that a request with the item may have.
    enum Expectation: Sendable {
        /// Its device takes it.
        case acceptance

        /// No device has its token, or its channel was deleted.
        case rejection

        /// The token of its device is replaced at some time, or its channel may be deleted.
        case either
    }

    /// The unique name in its payload.
    var name: String

    /// The identifier, once it is clear.
    var id: NotificationID?

    /// The sender, which waits for each answer before its next request.
    var sender: String

    /// The position among all items of the sender.
    var number: Int

    /// The names of the devices that should get it: one, or those that are subscribed to a channel.
    var devices: [String]

    /// The namespace of the devices.
    var namespace: Namespace

    /// The time at which it expires, in seconds since 1970; 0 means deliver now or drop.
    var expiration: Int?

    /// The collapse identifier; for a message to a channel, the channel.
    var collapseID: String?

    /// Whether each request that has it adds a notification, because there is no idempotency key.
    var isAddedByEachRequest: Bool

    /// The result that a request with it may have.
    var expectation: Expectation

    /// Creates the value from its parts.
    init(
        _ name: String,
        id: NotificationID? = nil,
        sender: String,
        number: Int,
        devices: [String],
        namespace: Namespace = .standard,
        expiration: Int? = nil,
        collapseID: String? = nil,
        isAddedByEachRequest: Bool = true,
        expectation: Expectation = .acceptance
    ) {
        (self.name, self.id, self.sender, self.number) = (name, id, sender, number)
        (self.devices, self.namespace) = (devices, namespace)
        (self.expiration, self.collapseID) = (expiration, collapseID)
        (self.isAddedByEachRequest, self.expectation) = (isAddedByEachRequest, expectation)
    }

    /// Whether it is delivered now or dropped.
    var isTransient: Bool {
        expiration == 0
    }

    /// Whether it stays in the inbox until it is acknowledged.
    var isPlain: Bool {
        expiration == nil && collapseID == nil
    }
}

/// An item with the numbers of its notifications that the gateway must and may have.
struct ModeledItem: Sendable {
    /// The item.
    var item: CrashItem

    /// The number of notifications that the gateway must have: those that it confirmed.
    private(set) var minimum = 0

    /// The number of notifications that the gateway may have, also without an answer.
    private(set) var maximum = 0

    /// The sequences with which it was delivered.
    var sequences: Set<Int> = []

    /// Creates an item that was not sent.
    init(_ item: CrashItem) {
        self.item = item
    }

    /// Whether it was sent at most once, so that its notifications have the order of its sender.
    var isSentOnce: Bool {
        item.devices.count == 1 && maximum <= 1
    }

    /// Records that a request with the item begins.
    mutating func begin() {
        if item.isAddedByEachRequest || maximum == 0 { maximum += item.devices.count }
    }

    /// Records that the gateway confirmed the item.
    mutating func accept() {
        if item.isAddedByEachRequest || minimum == 0 { minimum += item.devices.count }
    }

    /// Records that the gateway refused the item.
    mutating func reject() {
        maximum = item.isAddedByEachRequest ? maximum - item.devices.count : 0
    }

    /// Records that everything of its device was deleted.
    mutating func purge() {
        (minimum, maximum) = (0, 0)
    }
}
