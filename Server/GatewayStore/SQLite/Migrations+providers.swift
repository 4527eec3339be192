/// The third version: what providers need that send to a token alone.
extension Migrations {
    /// Who sends to a token does not name its namespace; what is unusual about a notification is an array in JSON.
    static let third = """
        ALTER TABLE log ADD COLUMN findings TEXT;
        CREATE INDEX device_home ON device (token);
        """
}
