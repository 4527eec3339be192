# aapns_client.py TOKEN CERTIFICATE KEY TEAM PORT COUNT
import asyncio, collections, os, sys
from aapns.api import Server
from aapns.models import Alert, Notification

token, certificate, _, _, port, count = sys.argv[1:]


async def main():
    server = Server(certificate, "localhost", int(port), ca_file=os.environ["SSL_CERT_FILE"])
    client = await server.create_client()

    async def send(number):
        # Every fifth request goes to an unknown device.
        device = "00ff" if number % 5 == 4 else token
        try:
            await client.send_notification(device, Notification(alert=Alert(body=f"Honk {number}")))
            return "Success"
        except Exception as error:
            return type(error).__name__

    answers = collections.Counter([await send(0)])
    answers.update(await asyncio.gather(*(send(number) for number in range(1, int(count)))))
    await client.close()
    for answer, times in sorted(answers.items()):
        print(answer, times)


asyncio.run(main())
