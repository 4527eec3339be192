internal import Delivery
internal import GRDB
internal import WaypostSchema

/// How notifications leave inboxes.
extension Ledger {
    /// Takes `sequences` out of an agent's inbox as acknowledged.
    mutating func acknowledge(_ agent: AgentID, _ sequences: [Int]) throws -> StoreChanges {
        guard let home = try number(of: agent.namespace) else { return StoreChanges() }
        var changes = StoreChanges()
        for sequence in sequences {
            changes.departures += try leave(
                by: .acknowledge,
                from: agent.namespace,
                home,
                where: "namespace = ? AND agent = ? AND sequence = ?",
                [home, agent.number, sequence]
            )
        }
        return changes
    }

    /// Takes what has `slot` of a device's topic out of the inbox.
    mutating func collapse(
        _ slot: CollapseSlot,
        of topic: Topic,
        _ device: Int,
        of agent: AgentID,
        _ home: Int
    ) throws -> [StoreChanges.Departure] {
        try leave(
            by: .collapse,
            from: agent.namespace,
            home,
            where: "namespace = ? AND device = ? AND topic = ? AND slot = ?",
            [home, device, topic.stored, slot.stored]
        )
    }

    /// Takes what is stored for a device, or for one topic of it, out of the inbox.
    mutating func unregister(
        _ device: KnownDevice,
        for topic: Topic? = nil,
        of agent: AgentID,
        in home: Int
    ) throws -> StoreChanges {
        var changes = StoreChanges()
        changes.departures = try leave(
            by: .unregister,
            from: agent.namespace,
            home,
            where: "namespace = ? AND agent = ? AND device = ?" + (topic == nil ? "" : " AND topic = ?"),
            [home, agent.number, device.number] + (topic.map { [$0.stored] } ?? [])
        )
        return changes
    }

    /// Takes what `condition` holds for out of a namespace's inboxes, ascending, into the state that `event` leads to.
    mutating func leave(
        by event: DeliveryEvent,
        from namespace: Namespace,
        _ home: Int,
        where condition: String,
        _ arguments: StatementArguments
    ) throws -> [StoreChanges.Departure] {
        let life = DeliveryLife(isNowOrNever: false, state: .stored)
        guard let state = life.state(after: event) else { throw ImpossibleDeliveryEvent(event: event, state: .stored) }
        let departures = try rows(
            "DELETE FROM item WHERE \(condition) RETURNING agent, sequence, batch",
            arguments
        ) { row in
            StoreChanges.Departure(
                agent: AgentID(namespace: namespace, number: row[0]),
                sequence: row[1],
                batch: BatchNumber(rawValue: row[2]),
                state: state
            )
        }
        for departure in departures {
            let batch = BatchKey(namespace: home, number: departure.batch.rawValue)
            count(-1, in: .stored, of: batch)
            count(1, in: state, of: batch)
        }
        return departures.count < 2 ? departures : departures.sorted { $0.sequence < $1.sequence }
    }

    /// Counts notifications that were now or never in their final states.
    ///
    /// Only batches of which some are still under way are in the index that this uses.
    func settle(_ ends: [FlightEnd]) throws {
        for end in ends where Self.countedStates.contains(end.state) && end.state.isFinal {
            try execute(
                """
                UPDATE batch SET \(end.state.rawValue) = \(end.state.rawValue) + min(?1, accepted),
                    accepted = accepted - min(?1, accepted)
                WHERE number = ?2 AND accepted > 0
                """,
                [1, end.batch.rawValue]
            )
        }
    }
}
