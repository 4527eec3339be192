#include "CCommandFiles.h"

// SwiftPM embeds a resource as an array literal, which the Swift compiler takes half a second for each KB to check.
static const unsigned char ipad[] = {
#embed "../AdminCommands/ClownTown/devices/ipad.yaml"
};

static const unsigned char iphone[] = {
#embed "../AdminCommands/ClownTown/devices/iphone.yaml"
};

static const unsigned char mac[] = {
#embed "../AdminCommands/ClownTown/devices/mac.yaml"
};

static const unsigned char clowntown[] = {
#embed "../AdminCommands/ClownTown/apps/ipad/clowntown.yaml"
};

static const unsigned char tv[] = {
#embed "../AdminCommands/ClownTown/apps/ipad/tv.yaml"
};

static const unsigned char scripts[] = {
#embed "../AdminCommands/ClownTown/apps/mac/scripts.yaml"
};

static const unsigned char association[] = {
#embed "../AdminCommands/ClownTown/tv-association.json"
};

static const unsigned char batch[] = {
#embed "../AdminCommands/ClownTown/batch.jsonl"
};

static const unsigned char actions[] = {
#embed "../AdminCommands/ClownTown/actions.jsonl"
};

static const unsigned char expectations[] = {
#embed "../AdminCommands/ClownTown/expectations.yaml"
};

static const unsigned char shelves[] = {
#embed "../AdminCommands/ClownTown/shelves.yaml"
};

static const unsigned char steps[] = {
#embed "../AdminCommands/ClownTown/steps.yaml"
};

static const struct waypost_file demoFiles[] = {
    {"devices/ipad.yaml", ipad, sizeof ipad},
    {"devices/iphone.yaml", iphone, sizeof iphone},
    {"devices/mac.yaml", mac, sizeof mac},
    {"apps/ipad/clowntown.yaml", clowntown, sizeof clowntown},
    {"apps/ipad/tv.yaml", tv, sizeof tv},
    {"apps/mac/scripts.yaml", scripts, sizeof scripts},
    {"tv-association.json", association, sizeof association},
    {"batch.jsonl", batch, sizeof batch},
    {"actions.jsonl", actions, sizeof actions},
    {"expectations.yaml", expectations, sizeof expectations},
    {"shelves.yaml", shelves, sizeof shelves},
    {"steps.yaml", steps, sizeof steps},
};

const struct waypost_file *waypost_demo_files(size_t *count) {
    *count = sizeof demoFiles / sizeof *demoFiles;
    return demoFiles;
}
