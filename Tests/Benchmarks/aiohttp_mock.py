"""What one would write in an afternoon: zones/modify in aiohttp, nothing stored durably."""

import asyncio
import json
import ssl
import sys

import uvloop
from aiohttp import web

zones = {}


async def modify(request):
    body = json.loads(await request.read())
    items = []
    for operation in body["operations"]:
        zone = operation["zone"]["zoneID"]
        name = zone["zoneName"]
        answer = {"zoneID": {"zoneName": name, "ownerRecordName": "_" + "0" * 32,
                             "zoneType": "REGULAR_CUSTOM_ZONE"}}
        if operation["operationType"] == "delete":
            if zones.pop(name, None) is None:
                answer.update(serverErrorCode="ZONE_NOT_FOUND", reason="Zone does not exist")
            else:
                answer["deleted"] = True
        else:
            zones[name] = {}
        items.append(answer)
    return web.json_response({"zones": items})


async def alive(_):
    return web.Response(text="ok")


def main():
    port, certificate, key = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    app = web.Application()
    app.add_routes([web.get("/", alive), web.post("/{path:.*}", modify)])
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    web.run_app(app, host="127.0.0.1", port=port, ssl_context=context, print=None,
                access_log=None)


main()
