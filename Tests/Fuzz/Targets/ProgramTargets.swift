extension FuzzTarget {
    /// The targets for what programs read from each other, from their environment and from the files of commands.
    static let programs = [readyFiles, logTails, contextFiles, stackFiles, settingVariables, loadResults]
}
