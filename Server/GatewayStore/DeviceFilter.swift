package import WaypostSchema

/// A filter for the devices of a namespace.
package struct DeviceFilter: Sendable, Equatable {
    /// The name of the devices, or `nil` for all.
    package var name: String?

    /// The standing of their tokens, or `nil` for all.
    package var standing: TokenStanding?

    /// Creates the filter; by default, it includes every device.
    package init(name: String? = nil, standing: TokenStanding? = nil) {
        self.name = name
        self.standing = standing
    }
}
