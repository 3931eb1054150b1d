"""Logs in with AsyncSSH in every way, and runs commands; prints what became of it as JSON. Argument: a port of 127.0.0.1."""

import asyncio
import json
import os
import sys

import asyncssh

port = int(sys.argv[1])


class Answering(asyncssh.SSHClient):
    def kbdint_auth_requested(self):
        return ""

    def kbdint_challenge_received(self, name, instructions, lang, prompts):
        return ["code"] * len(prompts)


def connect(user="ann", **options):
    common = {"known_hosts": None, "config": None, "agent_path": None, "client_keys": None}
    return asyncssh.connect("127.0.0.1", port, username=user, **{**common, **options})


async def echoes(connection, size):
    data = os.urandom(size)
    ran = await connection.run("cat; exit 3", input=data, encoding=None)
    return ran.stdout == data and ran.exit_status == 3


async def main():
    result = {}
    async with connect(client_factory=Answering, preferred_auth="keyboard-interactive"):
        result["questions"] = True
    keys = [asyncssh.generate_private_key("ecdsa-sha2-nistp256")]
    async with connect(client_keys=keys, password="right"):
        result["password after a key"] = True
    for name in ("ecdsa-sha2-nistp256", "ssh-rsa"):
        key = asyncssh.generate_private_key(name)
        async with connect("key", client_keys=[key], preferred_auth="publickey"):
            result[name] = True
    by_password = {"password": "right", "preferred_auth": "password", "rekey_bytes": 1_000_000}
    async with connect(**by_password) as connection:
        late = await connection.run("exec >&- 2>&-; sleep 0.3; exit 9", stdin=asyncssh.DEVNULL)
        result["late exit"] = late.exit_status
        result["long command"] = int((await connection.run(f"echo {'x' * 100_000} | wc -c")).stdout)
        result["bulk"] = await echoes(connection, 20_000_000)
        many = await asyncio.gather(*[echoes(connection, 100_000) for _ in range(12)])
        result["channels"] = many.count(True)
    print(json.dumps(result))


asyncio.run(main())
