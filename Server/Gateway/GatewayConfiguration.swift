package import Deflate

/// How a gateway is run.
package struct GatewayConfiguration: Sendable {
    /// The loopback address that all listeners bind to.
    package var host = "127.0.0.1"

    /// The port of the service listener; 0 for any free one.
    package var servicePort = 7330

    /// The port of the courier listener; 0 for any free one.
    package var courierPort = 7331

    /// Where to write the ready file, if anywhere.
    package var readyFile: String?

    /// What a batch may measure.
    package var batchLimits = BatchLimits()

    /// The seconds between two comment lines on a quiet event stream, which tell both ends that the other is there.
    package var heartbeatInterval = 15

    /// Creates the default configuration.
    package init() {}
}

/// What a batch may measure.
package struct BatchLimits: Sendable, Equatable {
    /// The most bytes of a body as it is sent, compressed or not.
    package var bodySize = 64 << 20

    /// What the body may inflate to.
    package var inflation = InflationLimits()

    /// The most items.
    package var items = 100_000

    /// Creates the default limits.
    package init() {}
}
