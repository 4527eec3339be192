// The functions of libpq that the store calls. They are loaded when a store on PostgreSQL is first named, because libpq
// loads 21 other libraries, which no other command needs.

#include "CPostgres.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

// Each function: its type, its name, its parameters with their types, and its arguments.
#define EACH_FUNCTION(DO) \
    DO(PGconn *, PQconnectStartParams, (const char *const *names, const char *const *values, int expand), \
        (names, values, expand)) \
    DO(void, PQreset, (PGconn *connection), (connection)) \
    DO(void, PQfinish, (PGconn *connection), (connection)) \
    DO(PQnoticeReceiver, PQsetNoticeReceiver, (PGconn *connection, PQnoticeReceiver receiver, void *context), \
        (connection, receiver, context)) \
    DO(PGVerbosity, PQsetErrorVerbosity, (PGconn *connection, PGVerbosity verbosity), (connection, verbosity)) \
    DO(PQconninfoOption *, PQconninfoParse, (const char *text, char **message), (text, message)) \
    DO(void, PQconninfoFree, (PQconninfoOption *options), (options)) \
    DO(ConnStatusType, PQstatus, (const PGconn *connection), (connection)) \
    DO(char *, PQerrorMessage, (const PGconn *connection), (connection)) \
    DO(int, PQsocket, (const PGconn *connection), (connection)) \
    DO(PGresult *, PQexec, (PGconn *connection, const char *sql), (connection, sql)) \
    DO(int, PQsendPrepare, \
        (PGconn *connection, const char *name, const char *sql, int count, const Oid *types), \
        (connection, name, sql, count, types)) \
    DO(int, PQsendQueryPrepared, \
        (PGconn *connection, const char *name, int count, const char *const *values, const int *lengths, \
            const int *formats, int resultFormat), \
        (connection, name, count, values, lengths, formats, resultFormat)) \
    DO(PGresult *, PQgetResult, (PGconn *connection), (connection)) \
    DO(int, PQisBusy, (PGconn *connection), (connection)) \
    DO(int, PQconsumeInput, (PGconn *connection), (connection)) \
    DO(int, PQenterPipelineMode, (PGconn *connection), (connection)) \
    DO(int, PQexitPipelineMode, (PGconn *connection), (connection)) \
    DO(int, PQpipelineSync, (PGconn *connection), (connection)) \
    DO(PGnotify *, PQnotifies, (PGconn *connection), (connection)) \
    DO(int, PQsetnonblocking, (PGconn *connection, int value), (connection, value)) \
    DO(int, PQflush, (PGconn *connection), (connection)) \
    DO(ExecStatusType, PQresultStatus, (const PGresult *result), (result)) \
    DO(char *, PQresultErrorField, (const PGresult *result, int field), (result, field)) \
    DO(int, PQntuples, (const PGresult *result), (result)) \
    DO(char *, PQcmdTuples, (PGresult *result), (result)) \
    DO(char *, PQgetvalue, (const PGresult *result, int row, int column), (result, row, column)) \
    DO(int, PQgetlength, (const PGresult *result, int row, int column), (result, row, column)) \
    DO(int, PQgetisnull, (const PGresult *result, int row, int column), (result, row, column)) \
    DO(void, PQclear, (PGresult *result), (result)) \
    DO(void, PQfreemem, (void *memory), (memory))

#define DECLARE(type, name, parameters, arguments) type (*name) parameters;
static struct {
    EACH_FUNCTION(DECLARE)
} library;

static char problem[512];

static void load(void) {
    void *handle = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        snprintf(problem, sizeof problem, "%s", dlerror());
        return;
    }
#define FIND(type, name, parameters, arguments) \
    if (!(library.name = (type (*) parameters)dlsym(handle, #name))) { \
        snprintf(problem, sizeof problem, "libpq.so.5 has no function " #name ", so it is older than version 14"); \
        return; \
    }
    EACH_FUNCTION(FIND)
}

const char *waypost_load_libpq(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return *problem ? problem : NULL;
}

// Hidden, so that libpq calls its own functions.
#define FORWARD(type, name, parameters, arguments) \
    __attribute__((visibility("hidden"))) type name parameters { return library.name arguments; }
EACH_FUNCTION(FORWARD)
