/// The outcomes of a run.
public enum RunOutcome: String, StringEnum {
    /// Everything was as expected.
    case passed

    /// Something was not as expected.
    case failed

    /// The run was interrupted, or the gateway heard no more of it.
    case interrupted
}
