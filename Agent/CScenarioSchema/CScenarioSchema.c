#include "CScenarioSchema.h"

// SwiftPM embeds a resource as an array literal, which the Swift compiler takes half a second for each KB to check.
static const unsigned char document[] = {
#embed "../Scenarios/scenario-schema.json"
};

const unsigned char *waypost_scenario_schema(size_t *count) {
    *count = sizeof document;
    return document;
}
