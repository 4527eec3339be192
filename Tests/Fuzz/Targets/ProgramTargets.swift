extension FuzzTarget {
    /// The targets that call what programs read of each other, and of their environment and their user.
    static let programs = [readyFiles, logTails, contextFiles, stackFiles, settingVariables, loadResults]
}
