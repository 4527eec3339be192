#include "CFileSchemas.h"

// SwiftPM embeds a resource as an array literal, which the Swift compiler takes half a second for each KB to check.
static const unsigned char scenarioSchema[] = {
#embed "../Scenarios/scenario-schema.json"
};

static const unsigned char fleetSchema[] = {
#embed "../Fleets/fleet-schema.json"
};

const unsigned char *waypost_scenario_schema(size_t *count) {
    *count = sizeof scenarioSchema;
    return scenarioSchema;
}

const unsigned char *waypost_fleet_schema(size_t *count) {
    *count = sizeof fleetSchema;
    return fleetSchema;
}
