/// The kinds of runs that report to a gateway.
public enum RunKind: String, StringEnum {
    /// Scenarios, one after another.
    case scenarios

    /// A load test.
    case load

    /// A fleet of devices.
    case fleet

    /// Trials of a provider.
    case provider
}
