/// The version of the programs.
public enum ProgramVersion {
    /// The version of this code, by https://semver.org.
    public static let current = "0.2.0"
}
