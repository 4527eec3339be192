/// The severity of a finding.
public enum FindingSeverity: String, StringEnum {
    /// It cannot work as written: it is refused, or a device drops what matters.
    case error

    /// It works, but probably not as intended.
    case warning

    /// It is worth knowing.
    case note
}
