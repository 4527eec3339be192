#include "CConsole.h"

// SwiftPM embeds a resource as an array literal, which the Swift compiler takes half a second for each KB to check.
static const unsigned char apiScript[] = {
#embed "page/api.js"
};

static const unsigned char associationsScript[] = {
#embed "page/associations.js"
};

static const unsigned char chartsScript[] = {
#embed "page/charts.js"
};

static const unsigned char composeScript[] = {
#embed "page/compose.js"
};

static const unsigned char consoleStyle[] = {
#embed "page/console.css"
};

static const unsigned char deviceScript[] = {
#embed "page/device.js"
};

static const unsigned char devicesScript[] = {
#embed "page/devices.js"
};

static const unsigned char domScript[] = {
#embed "page/dom.js"
};

static const unsigned char gatewayScript[] = {
#embed "page/gateway.js"
};

static const unsigned char iconPicture[] = {
#embed "page/icon.svg"
};

static const unsigned char indexPage[] = {
#embed "page/index.html"
};

static const unsigned char logScript[] = {
#embed "page/log.js"
};

static const unsigned char mainScript[] = {
#embed "page/main.js"
};

static const unsigned char notificationsScript[] = {
#embed "page/notifications.js"
};

static const unsigned char reasonsScript[] = {
#embed "page/reasons.js"
};

static const unsigned char runsScript[] = {
#embed "page/runs.js"
};

static const unsigned char sharingScript[] = {
#embed "page/sharing.js"
};

static const unsigned char tokensScript[] = {
#embed "page/tokens.js"
};

static const unsigned char trialsScript[] = {
#embed "page/trials.js"
};

static const unsigned char trialTimelineScript[] = {
#embed "page/trial-timeline.js"
};

static const unsigned char wordsScript[] = {
#embed "page/words.js"
};

static const struct waypost_console_file files[] = {
    {"api.js", "text/javascript; charset=utf-8", apiScript, sizeof apiScript},
    {"associations.js", "text/javascript; charset=utf-8", associationsScript, sizeof associationsScript},
    {"charts.js", "text/javascript; charset=utf-8", chartsScript, sizeof chartsScript},
    {"compose.js", "text/javascript; charset=utf-8", composeScript, sizeof composeScript},
    {"console.css", "text/css; charset=utf-8", consoleStyle, sizeof consoleStyle},
    {"device.js", "text/javascript; charset=utf-8", deviceScript, sizeof deviceScript},
    {"devices.js", "text/javascript; charset=utf-8", devicesScript, sizeof devicesScript},
    {"dom.js", "text/javascript; charset=utf-8", domScript, sizeof domScript},
    {"gateway.js", "text/javascript; charset=utf-8", gatewayScript, sizeof gatewayScript},
    {"icon.svg", "image/svg+xml", iconPicture, sizeof iconPicture},
    {"index.html", "text/html; charset=utf-8", indexPage, sizeof indexPage},
    {"log.js", "text/javascript; charset=utf-8", logScript, sizeof logScript},
    {"main.js", "text/javascript; charset=utf-8", mainScript, sizeof mainScript},
    {"notifications.js", "text/javascript; charset=utf-8", notificationsScript, sizeof notificationsScript},
    {"reasons.js", "text/javascript; charset=utf-8", reasonsScript, sizeof reasonsScript},
    {"runs.js", "text/javascript; charset=utf-8", runsScript, sizeof runsScript},
    {"sharing.js", "text/javascript; charset=utf-8", sharingScript, sizeof sharingScript},
    {"tokens.js", "text/javascript; charset=utf-8", tokensScript, sizeof tokensScript},
    {"trial-timeline.js", "text/javascript; charset=utf-8", trialTimelineScript, sizeof trialTimelineScript},
    {"trials.js", "text/javascript; charset=utf-8", trialsScript, sizeof trialsScript},
    {"words.js", "text/javascript; charset=utf-8", wordsScript, sizeof wordsScript},
};

const struct waypost_console_file *waypost_console_files(size_t *count) {
    *count = sizeof files / sizeof *files;
    return files;
}
