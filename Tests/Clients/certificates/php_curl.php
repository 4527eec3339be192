<?php
// PHP's curl, which is no APNs client: the requests share connections, and a new provider token every 40 minutes, as
// Apple asks.
function base64url(string $bytes): string {
    return rtrim(strtr(base64_encode($bytes), "+/", "-_"), "=");
}

// A provider token has the two numbers of the signature, which openssl encodes as a sequence of integers.
function sign(string $text, string $keyFile): string {
    openssl_sign($text, $signature, file_get_contents($keyFile), OPENSSL_ALGO_SHA256);
    $first = ord($signature[3]);
    $numbers = [substr($signature, 4, $first), substr($signature, 6 + $first)];
    return implode(array_map(fn($number) => str_pad(ltrim($number, "\0"), 32, "\0", STR_PAD_LEFT), $numbers));
}

function bearer(array $message): string {
    static $tokens = [];
    [$time, $token] = $tokens[$message["keyID"]] ?? [0, ""];
    if (time() - $time >= 2400) {
        $text = base64url(json_encode(["alg" => "ES256", "kid" => $message["keyID"]])) . "."
            . base64url(json_encode(["iss" => $message["teamID"], "iat" => time()]));
        $token = $text . "." . base64url(sign($text, $message["keyFile"]));
        $tokens[$message["keyID"]] = [time(), $token];
    }
    return $token;
}

$shares = [];
$gone = [];
while (($line = fgets(STDIN)) !== false) {
    $message = json_decode($line, true);
    if ($message["registeredAt"] * 1000 <= ($gone[$message["token"]] ?? 0)) {
        continue;
    }
    $headers = ["authorization: bearer " . bearer($message), "apns-topic: {$message["topic"]}",
        "apns-push-type: {$message["pushType"]}"];
    if ($message["pushType"] == "background") {
        $headers[] = "apns-priority: 5";
    }
    if (isset($message["expiration"])) {
        $headers[] = "apns-expiration: " . ($message["expiration"] == "now" ? 0 : time() + 3600);
    }
    if (!isset($shares[$message["teamID"]])) {
        $shares[$message["teamID"]] = curl_share_init();
        curl_share_setopt($shares[$message["teamID"]], CURLSHOPT_SHARE, CURL_LOCK_DATA_CONNECT);
    }
    // An empty object must stay one.
    $payload = json_encode(json_decode($line)->payload, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
    $curl = curl_init(getenv("WAYPOST_URL") . "/3/device/{$message["token"]}");
    curl_setopt_array($curl, [CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_2_0, CURLOPT_RETURNTRANSFER => true,
        CURLOPT_SHARE => $shares[$message["teamID"]], CURLOPT_POSTFIELDS => $payload, CURLOPT_HTTPHEADER => $headers]);
    $body = curl_exec($curl);
    $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    if ($status == 410) {
        $gone[$message["token"]] = json_decode($body, true)["timestamp"] ?? time() * 1000;
    }
    if ($status != 200) {
        fwrite(STDERR, "{$message["marker"]}: " . (curl_error($curl) ?: "$status $body") . "\n");
    }
}
