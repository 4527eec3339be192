#include "CSchemaDocument.h"

// SwiftPM embeds a resource as an array literal, which the Swift compiler takes half a second for each KB to check.
static const unsigned char document[] = {
#embed "../WaypostSchema/schema-v1.json"
};

const unsigned char *waypost_schema_document(size_t *count) {
    *count = sizeof document;
    return document;
}
