/// The version of this schema.
///
/// Within a version, the schema only grows.
public enum SchemaVersion {
    /// The version that this code uses.
    public static let current = 1
}
