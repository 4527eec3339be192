// The back end under test: apps register their device tokens, and a clown's approach notifies them over APNs.
//
//     PUT  /tokens/TOKEN            an app registers a token
//     POST /clowns/NAME/approaches  the registered devices get a notification

import { createServer } from 'node:http'
import { connect } from 'node:http2'

const { APNS_URL = 'https://api.push.apple.com', PORT = '8080' } = process.env
const tokens = new Set()

/** The connection to APNs, which one client keeps open. */
let session

/** Sends a notification, and returns the status of the response. */
function push(token, payload) {
  if (!session || session.closed || session.destroyed) session = connect(APNS_URL).on('error', console.error)
  const headers = { ':method': 'POST', ':path': `/3/device/${token}`, 'apns-topic': 'com.example.clowntown', 'apns-push-type': 'alert' }
  const request = session.request(headers)
  request.end(JSON.stringify(payload))
  return new Promise((resolve, reject) => {
    request.on('response', (response) => resolve(response[':status'])).on('error', reject).resume()
  })
}

async function notify(clown) {
  const name = clown[0].toUpperCase() + clown.slice(1)
  const content = `https://clowntown.example/clowns/${clown}`
  const payload = { aps: { alert: { title: `${name} is near` }, 'target-content-id': content } }
  for (const token of tokens) {
    // APNs does not know the token any more: the app was removed.
    if ((await push(token, payload)) === 410) tokens.delete(token)
  }
}

const server = createServer(async (request, response) => {
  const [, collection, name] = request.url.split('/')
  try {
    if (request.method === 'PUT' && collection === 'tokens') tokens.add(name)
    else if (request.method === 'POST' && collection === 'clowns') await notify(name)
    else response.statusCode = 404
  } catch (error) {
    response.statusCode = 502
    console.error(error)
  }
  response.end()
})
server.listen(Number(PORT), () => console.log(`http://127.0.0.1:${server.address().port}`))
