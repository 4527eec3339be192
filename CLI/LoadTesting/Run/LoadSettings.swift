package import Fleets

/// The settings of a load test.
package struct LoadSettings: Sendable {
    /// The name, for reports.
    package var name = "load"

    /// The rate over time, without the warm-up; `nil` for a closed loop.
    package var schedule: LoadSchedule?

    /// The length of the measured part, in seconds.
    package var seconds = 10.0

    /// The length of the part before it that does not count, in seconds.
    package var warmUp = 0.0

    /// The API through which the items are sent.
    package enum API: Sendable, Equatable {
        /// Batches over HTTP/1.1.
        case batches(itemsPerRequest: Int, BatchCoding)

        /// The provider API over HTTP/2, one item a request, with a limit of open streams per connection.
        case provider(maximumStreamCount: Int)
    }

    /// The way in which the sender authenticates itself at the provider API.
    package enum Authentication: String, Sendable {
        case none
        case token
        case certificate
    }

    /// The API through which the items are sent.
    package var api = API.batches(itemsPerRequest: 100, .gzip)

    /// The number of connections that send.
    package var connections = 4

    /// Whether the connections to the provider API use TLS.
    package var usesTLS = false

    /// The way in which the sender authenticates itself at the provider API.
    package var authentication = Authentication.none

    /// The key that signs the sender's tokens; `nil` for one that exists only during the test.
    package var key: ProviderTokenKey?

    /// The items that are sent.
    package var traffic = LoadTraffic.Settings()

    /// The devices that receive the items.
    package var fleet = FleetSettings(devices: 100)

    /// Whether the devices connect only after the load: it fills their inboxes, which then drain.
    package var startsOffline = false

    /// The seed of everything that varies.
    package var seed = 1

    /// The maximum wait for responses, arrivals and acknowledgements at the end, in seconds.
    package var drain = 10.0

    /// The objectives.
    package var objectives: [Objective] = []

    /// Creates settings with the defaults.
    package init() {}

    /// The number of items of a request.
    var itemsPerRequest: Int {
        if case .batches(let itemsPerRequest, _) = api { itemsPerRequest } else { 1 }
    }

    /// The length with the warm-up, in microseconds.
    var totalMicroseconds: Int {
        Int((warmUp + seconds) * 1_000_000)
    }
}
