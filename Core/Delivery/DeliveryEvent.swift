/// What happens to an accepted notification.
public enum DeliveryEvent: String, Sendable, CaseIterable {
    /// It is put into its device's inbox.
    case store

    /// It is written to its device's open stream.
    case send

    /// The stream that it was written to is gone, or it is to be written again.
    case comeBack

    /// The device says that it has it.
    case acknowledge

    /// A later notification takes its place.
    case collapse

    /// Its expiration passes.
    case expire

    /// It was now or never, and is not now.
    case drop

    /// Its device is unregistered, from the gateway or for its topic.
    case unregister
}
